"""The web page, for a Space and for `python app.py`."""

from specviz.ui.page import build, launch

demo = build()

if __name__ == "__main__":
    launch(demo)
