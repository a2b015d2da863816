"""What the server's and driver's errors mean to our callers. Never repeats a password."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from nightgarden.errors import BadInput, Conflict, CorruptGarden, GardenBusy, NightgardenError, StoreUnavailable

# Worth another try: nothing was written, and the other side is done by then.
PASSING = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
_GONE = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # what the driver calls a connection that died between two steps
    OSError,
)
_UNWRITABLE = (asyncpg.InsufficientResourcesError, asyncpg.ReadOnlySQLTransactionError)
_UNFIT = (asyncpg.DataError, UnicodeEncodeError)


def explain_refusal(error: BaseException, shown: str) -> NightgardenError:
    """Why a garden could not be opened, and what to do."""
    match error:
        case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
            why = "the server refuses this user or password; check both in the URL"
        case asyncpg.InvalidCatalogNameError():
            why = "there is no such database; create it with createdb, or correct its name in the URL"
        case asyncpg.InsufficientPrivilegeError():
            why = "this user may not create what a garden needs (a schema, the vector extension); ask the administrator"
        case asyncpg.TooManyConnectionsError():
            why = "the server has no connection left; close some, or raise its max_connections"
        case TimeoutError() | asyncio.TimeoutError():
            why = "the server did not answer in time; check the address and the network"
        case ssl.SSLError():
            why = "no secure connection could be made; check sslmode in the URL and the server's certificate"
        case OSError() | asyncpg.CannotConnectNowError():
            why = "no server answers there; start it, or correct the address"
        case asyncpg.PostgresError():
            why = f"the server said: {error.args[0] if error.args else type(error).__name__}"
        case _:  # the driver's own words may quote the URL, and with it the password
            why = f"the URL or the server cannot be used ({type(error).__name__})"
    return StoreUnavailable(f"cannot open the garden at {shown}: {why}.")


@contextmanager
def explained(shown: str) -> Iterator[None]:
    """Turns the driver's errors within into ours."""
    try:
        yield
    except NightgardenError:
        raise
    except asyncpg.UniqueViolationError as error:
        if error.constraint_name == "memory_live_text":
            raise Conflict("a live memory of this scope says the same; reinforce that one instead") from error
        raise Conflict(f"someone else wrote the same {error.table_name} first; read again and retry") from error
    except (*PASSING, asyncpg.LockNotAvailableError) as error:
        raise GardenBusy("other writers keep this part of the garden busy; ask again in a moment") from error
    except _UNFIT as error:
        raise BadInput(f"PostgreSQL cannot hold this value as a name or id: {type(error).__name__}") from error
    except (asyncpg.DataCorruptedError, asyncpg.IndexCorruptedError) as error:
        raise CorruptGarden(f"the garden at {shown} is damaged: {error}; restore a backup of the server") from error
    except asyncpg.QueryCanceledError as error:
        raise StoreUnavailable(f"{shown} took too long to answer, and nothing was changed; ask again.") from error
    except _UNWRITABLE as error:
        raise StoreUnavailable(f"the garden at {shown} cannot be written: {error}.") from error
    except (*_GONE, TimeoutError) as error:
        raise StoreUnavailable(f"the connection to {shown} was lost ({type(error).__name__}); ask again.") from error
