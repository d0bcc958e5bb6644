"""Every setting: its name in the environment, its type, unit and default.

A setting is read from the environment as `CROUPIER_` and its name in capitals. A server that keeps
its data itself (no `database_url`) makes the keys that are not set, once, and keeps them beside its
data; one that names a database has to be given them, because whoever shares the database shares the
keys.
"""

import os
from pathlib import Path

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from service.errors import InputWrong, Mendable
from service.server.setting_forms import FORMS, PREFIX, contradictions, unknown_names

DATABASE_VARIABLE = f"{PREFIX}DATABASE_URL"
"""As errors name it, which never show what it holds."""


class Settings(BaseSettings):
    """The settings of one process."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        extra="ignore",
        # Set to nothing is not set: templates often leave it so.
        env_ignore_empty=True,
        allow_inf_nan=False,
    )

    database_url: SecretStr = Field(
        default=SecretStr(""),
        description="PostgreSQL to use (libpq's form); empty: an embedded server",
    )
    data_folder: Path | None = Field(
        default=None, description="where the embedded server keeps its data; none: the state folder"
    )
    grpc_address: str = Field(
        default="127.0.0.1:50051", description="host:port; port 0 is any free one"
    )
    rest_address: str = Field(
        default="127.0.0.1:8080", description="host:port; port 0 is any free one"
    )
    token_secret: SecretStr = Field(
        default=SecretStr(""), description="signs players' tokens; at least 32 characters"
    )
    sealing_keys: SecretStr = Field(
        default=SecretStr(""),
        description="seal server seeds: `id:64 hex digits`, commas between",
    )
    signing_keys: SecretStr = Field(
        default=SecretStr(""),
        description="sign receipts and digests: `id:64 hex digits`, commas between",
    )
    operator: str = Field(default="house", description="the operator of guests and of operator_key")
    operator_key: SecretStr = Field(
        default=SecretStr(""),
        description="the operator's API key, begins with ck_; empty: none is set",
    )
    guests: bool | None = Field(
        default=None,
        description="whether anybody gets a guest token; none: only with an embedded server",
    )
    processes: int = Field(
        default=0, ge=0, le=64, description="serving processes that share the ports; 0: one a core"
    )
    connections: int = Field(
        default=8,
        ge=2,
        le=100,
        description="database connections of this process for calls; one more keeps time",
    )
    flushes: int = Field(
        default=2,
        ge=1,
        le=100,
        description="transactions under way at once for appends, on connections of their own",
    )
    rest_connections: int = Field(
        default=4096, ge=16, le=1_000_000, description="open connections to REST, per process"
    )
    grpc_connections: int = Field(
        default=4096, ge=16, le=1_000_000, description="open connections to gRPC, per process"
    )
    calls_in_vain: int = Field(
        default=200,
        ge=1,
        description="calls without a valid token, or that say nothing, that one address may make"
        " over gRPC in ten seconds",
    )
    trusted_proxies: str = Field(
        default="",
        description="networks of proxies in front, commas between: they carry the calls of many,"
        " so no limit of a caller's address holds for theirs",
    )
    caller_calls_per_minute: int = Field(
        default=6_000, ge=0, description="calls of one player; 0: any number"
    )
    address_calls_per_minute: int = Field(
        default=30_000,
        ge=0,
        description="calls from one address, whoever makes them; 0: any number",
    )
    caller_commands_per_minute: int = Field(
        default=300,
        ge=0,
        description="commands (calls with a request_id) of one player; 0: any number",
    )
    address_commands_per_minute: int = Field(
        default=500, ge=0, description="commands of all players at one address; 0: any number"
    )
    caller_tables_per_minute: int = Field(
        default=5, ge=0, description="tables that one player opens; 0: any number"
    )
    address_tables_per_minute: int = Field(
        default=10, ge=0, description="tables that all players at one address open; 0: any number"
    )
    address_tokens_per_minute: int = Field(
        default=10, ge=0, description="guest tokens for one address; 0: any number"
    )
    caller_calls_at_once: int = Field(
        default=50, ge=0, description="calls of one player under way, per process; 0: any number"
    )
    calls_at_once: int = Field(
        default=1_000, ge=0, description="calls under way, per process; 0: any number"
    )
    caller_streams: int = Field(
        default=20,
        ge=0,
        description="streams of one player that are open, per process; 0: any number",
    )
    address_streams: int = Field(
        default=200,
        ge=0,
        description="streams of players at one address that are open, per process; 0: any number",
    )
    keep_alive_seconds: float = Field(
        default=75.0,
        ge=1,
        description="how long a connection to REST stays open without a request;"
        " longer than a load balancer keeps it",
    )
    kept_tables: int = Field(
        default=10_000, ge=1, description="tables that this process keeps in memory"
    )
    idle_close_seconds: int = Field(
        default=30 * 24 * 3600, ge=60, description="tables between rounds close after so long"
    )
    shutdown_delay_seconds: float = Field(
        default=5.0,
        ge=0,
        description="how long a process that was told to stop (SIGTERM) still serves, while it says"
        " that it does not, so that load balancers send calls elsewhere",
    )
    drain_seconds: float = Field(
        default=10.0, ge=0, description="how long running calls have at the end"
    )
    log_level: str = Field(default="warning", description="debug, info, warning or error")

    @field_validator("*", mode="before")
    @classmethod
    def _without_blanks(cls, value: object) -> object:
        """A value without blanks around it, such as the end of the line of a file."""
        return value.strip() if isinstance(value, str) else value

    @field_validator("*", mode="after")
    @classmethod
    def _in_its_form(cls, value: object, info: ValidationInfo) -> object:
        """A text in the form that its setting needs."""
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        check = FORMS.get(info.field_name or "")
        if check and isinstance(text, str) and text:
            try:
                check(text)
            except Mendable as error:
                raise ValueError(str(error)) from None
        return value

    @property
    def embedded(self) -> bool:
        """Whether this process runs its own PostgreSQL."""
        return not self.database_url.get_secret_value()


def read_settings() -> Settings:
    """The settings of the environment; InputWrong names every variable that will not do, and shows
    no value, for it may be a secret in the wrong place."""
    faults = unknown_names(os.environ, Settings.model_fields)
    try:
        settings = Settings()
    except ValidationError as error:
        for one in error.errors(include_input=False, include_context=False, include_url=False):
            message = one["msg"].removeprefix("Value error, ")
            faults.append(
                f"{PREFIX}{str(one['loc'][0]).upper()}: {message[:1].lower()}{message[1:]}"
            )
    else:
        faults += contradictions(settings.grpc_address, settings.rest_address)
    if faults:
        raise InputWrong("; ".join(faults))
    return settings
