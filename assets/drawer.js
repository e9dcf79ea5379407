// The drawer with the settings: Escape closes it, focus goes in and comes back, and on a phone stays inside.

const drawer = { opener: null };
const drawerPanel = () => document.getElementById("sv-settings");
const drawerOpen = () => document.body.classList.contains("sv-drawer");

function toggleDrawer() {
  const open = document.body.classList.toggle("sv-drawer");
  const panel = drawerPanel();
  panel.setAttribute("role", "dialog");
  panel.setAttribute("aria-label", t("settings"));
  document.getElementById("sv-settings-button").setAttribute("aria-expanded", String(open));
  if (open) {
    drawer.opener = document.activeElement;
    panel.getBoundingClientRect(); // from here on it is visible, and takes the focus
    document.getElementById("sv-close").focus();
  } else {
    const back = drawer.opener && drawer.opener.isConnected ? drawer.opener : null;
    (back || document.getElementById("sv-settings-button")).focus();
  }
}

function onDrawerKey(event) {
  if (!drawerOpen()) return;
  const inside = drawerPanel().contains(document.activeElement);
  if (event.key === "Escape" && (inside || document.activeElement === document.body)) {
    if (document.activeElement.getAttribute("aria-expanded") === "true") return; // an open list closes first
    event.preventDefault();
    toggleDrawer();
  } else if (event.key === "Tab" && narrow()) {
    const stops = [...drawerPanel().querySelectorAll("button, input, textarea, select")].filter(
      (node) => !node.disabled && node.tabIndex >= 0 && node.offsetParent !== null,
    );
    const edge = event.shiftKey ? stops[0] : stops[stops.length - 1];
    if (inside && document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? stops[stops.length - 1] : stops[0]).focus();
  }
}
