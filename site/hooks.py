"""Adds to the pages of docs what stands in the root of the project, and makes links work between them."""
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

# Files of the root, and the pages that they become.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
    "BENCHMARK.txt": "BENCHMARK.md",
    "LICENSE": "LICENSE.md",
}

# Names in tables are not cut in the middle where there is room to scroll.
STYLE = """@media screen and (min-width: 60em) {
  .md-typeset table:not([class]) code { word-break: normal; }
}
"""

LINK = re.compile(r"(?<=\]\()([^)#\s]+)(#[^)\s]*)?(?=\))")


def relative(target, page):
    """The path of a file of the site as a page names it."""
    up = "../" * page.count("/")
    return up + target


def directories():
    """Folders of docs that pages link to: each becomes a list of its files."""
    return [path for path in DOCS.rglob("*") if path.is_dir() and not any(path.glob("*.md"))]


def on_files(files, config):
    for source, page in PAGES.items():
        text = (ROOT / source).read_text()
        if not source.endswith(".md"):
            # Lines of 100 characters fit only without a table of contents beside them.
            text = f"---\nhide: [toc]\n---\n# {pathlib.Path(page).stem}\n\n```\n{text}\n```\n"
        files.append(File.generated(config, page, content=text))
    for folder in directories():
        name = folder.relative_to(DOCS).as_posix()
        entries = sorted(each.name + ("/index.md" if each.is_dir() else "") for each in folder.iterdir())
        listing = "\n".join(f"- [{entry.removesuffix('/index.md')}]({entry})" for entry in entries)
        files.append(File.generated(config, f"{name}/index.md", content=f"# {name}\n\n{listing}\n"))
    files.append(File.generated(config, "site.css", content=STYLE))
    # Written by javadoc afterwards; the navigation has to know it.
    files.append(File.generated(config, "javadoc/index.html", content=""))
    return files


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    top = PAGES.get("README.md") == here or here in PAGES.values()
    base = ROOT if top else (DOCS / here).parent

    def change(match):
        link, anchor = match.group(1), match.group(2) or ""
        if ":" in link or here.endswith("/index.md"):
            return match.group(0)
        path = (base / link).resolve()
        if path.is_relative_to(DOCS):
            inside = path.relative_to(DOCS).as_posix()
            return relative(inside + ("/index.md" if path.is_dir() else ""), here) + anchor
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).as_posix() in PAGES:
            return relative(PAGES[path.relative_to(ROOT).as_posix()], here) + anchor
        return match.group(0)

    return LINK.sub(change, markdown)
