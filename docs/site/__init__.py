"""The site: the pages of `docs/`, those of the rules, and a gallery, with every picture drawn when the site is built.

`python -m docs.site` builds it into `build/site`; `make docs` sets up what that needs first. `docs/conf.py` has the settings of
Sphinx.

| module | does |
| --- | --- |
| links.py | finds the links in Markdown, checks them, and leads them to pages of the site |
| games.py | has computers play the games that the gallery shows |
| events.py | holds events for it by the rules of tournaments, and makes up a ladder |
| gallery.py | draws the pictures of the gallery, and describes them |
| diagrams.py | draws the diagrams of the pages, which are written in Mermaid, as SVG |
| pages.py | writes the source of the site: pages, rules, commands, gallery, linked files |
| kept.py | says which pictures among the files of the project are not the present ones |
| built.py | checks the links, anchors and pictures of the finished site |
"""
