"""Where the embedded server's data lies."""

from pathlib import Path

from db.embedded.data_folder import default_data_folder
from service.server.settings import Settings


def data_folder(settings: Settings) -> Path:
    """The folder of the settings, or the one of this system or user."""
    return (settings.data_folder or default_data_folder()).absolute()
