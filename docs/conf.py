"""The settings of Sphinx for the site. `make docs` builds it; `docs/site/` writes the pages and draws the pictures."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

project = "Springboard"
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
language = "en"
# Examples leave things out with "…", which is no Python.
suppress_warnings = ["misc.highlighting_failure"]

myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 6
myst_links_external_new_tab = False

html_theme = "furo"
html_title = "Springboard"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_use_index = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_favicon = html_logo = "../build/site-source/pictures/avatar.png"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1c6b6a", "color-brand-content": "#1c6b6a"},
    "dark_css_variables": {"color-brand-primary": "#6fcfbf", "color-brand-content": "#6fcfbf"},
}
pygments_style = "friendly"
pygments_dark_style = "monokai"
