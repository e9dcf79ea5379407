"""The colours of the plots, light and dark: the same as the page's style, named for what they mean."""

from __future__ import annotations

INK, MUTED, LINE = "#1d2330", "#5b6474", "#e4e2dc"
KEPT, LOST, OWED, BONUS, Q_EDGE = "#0b7a5b", "#a83c18", "#1f5fbf", "#7a3fa8", "#8a5200"
KEPT_FILL, OWED_FILL = "#bfe5d6", "#e3ecfb"

LIGHT_TO_DARK = {
    INK: "#e8eaee",
    MUTED: "#98a2b3",
    LINE: "#2a303b",
    KEPT: "#4cc9a0",
    LOST: "#ff9068",
    OWED: "#7fb0ff",
    BONUS: "#cf9bf5",
    Q_EDGE: "#f0b23c",
    KEPT_FILL: "#17332b",
    OWED_FILL: "#1b2a45",
}
