"""The site: the pages of `docs/`, the rules, and a gallery of pictures that are drawn when the site is built.

`python -m docs.site` builds it into `build/site`; `make docs` first installs what that needs. `docs/conf.py` configures Sphinx.

| module | does |
| --- | --- |
| links.py | finds and checks links in Markdown, and leads them to pages of the site |
| games.py | has computers play the games of the gallery |
| tournaments.py | holds tournaments for the gallery, and makes up a ladder |
| gallery.py | draws and describes the pictures of the gallery |
| diagrams.py | draws the pages' Mermaid diagrams as SVG |
| pages.py | writes the source of the site: pages, rules, commands, gallery, linked files |
| kept.py | finds outdated pictures among the project's files |
| built.py | checks the links, anchors and pictures of the finished site |
"""
