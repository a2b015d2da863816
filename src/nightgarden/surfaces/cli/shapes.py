"""The JSON that commands print: the answers of operations, for commands that work on a garden of their own."""

from nightgarden.surfaces.operations.answers import briefing_shape as briefing_shape
from nightgarden.surfaces.operations.answers import edge_shape as edge_shape
from nightgarden.surfaces.operations.answers import entry_shape as entry_shape
from nightgarden.surfaces.operations.answers import injection_shape as injection_shape
from nightgarden.surfaces.operations.answers import memory_shape as memory_shape
from nightgarden.surfaces.operations.answers import procedure_shape as procedure_shape
from nightgarden.surfaces.operations.answers import recalled_shape as recalled_shape
from nightgarden.surfaces.operations.answers import session_shape as session_shape
from nightgarden.surfaces.operations.answers import stats_shape as stats_shape
from nightgarden.surfaces.operations.answers import task_shape as task_shape
from nightgarden.surfaces.operations.answers import verdict_shape as verdict_shape
