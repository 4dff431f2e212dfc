"""Boards on which people play, in a test: folders, of which only the settings say that."""

from dataclasses import dataclass, replace

from pbem.channels.folder import FolderSettings
from pbem.storage import Post
from tests.support.harness import League


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedFolder(FolderSettings):
    """A folder in which people seem to play, and perhaps write to the referee alone."""

    private: bool = False
    play = True


def boards(league: League, private: bool = False) -> None:
    """Give a league `forum`, on which people play, and `paste`, which only takes posts.

    Two more show the same in the other forms of posts.
    """
    posts = league.service.ports.posts
    forum = PlayedFolder(path="forum", format="text", private=private)
    paste = FolderSettings(path="paste", format="text")
    marked = PlayedFolder(path="marked", format="markdown", private=private)
    tagged = PlayedFolder(path="tagged", format="bbcode", private=private)
    channels = {"forum": forum, "marked": marked, "paste": paste, "tagged": tagged}
    posts.settings = replace(posts.settings, channels=channels)


def posted(league: League, channel: str = "forum") -> list[Post]:
    """Return what a board has got in battles' threads, oldest first, without pictures."""
    found = league.store.all(Post.select().where(Post.channel == channel).order_by(Post.id))
    return [one for one in found if one.thread[:1] == "G" and not one.ident.endswith(".svg")]


def said(post: Post) -> str:
    """Return a post's words without line breaks."""
    return " ".join(post.body.split())
