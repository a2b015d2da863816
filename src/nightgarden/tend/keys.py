"""Where tending keeps account of itself: its keys of the program's own state, which no export holds."""

from __future__ import annotations

from nightgarden.domain.state_keys import PROJECT_ROOT as ROOT
from nightgarden.domain.state_keys import TEND_BEFORE as BEFORE
from nightgarden.domain.state_keys import TEND_CONFLICTS as CONFLICTS
from nightgarden.domain.state_keys import TEND_HEALTH as HEALTH
from nightgarden.domain.state_keys import TEND_LAST as LAST
from nightgarden.domain.state_keys import TEND_LOG as LOG
from nightgarden.domain.state_keys import TEND_NEAR as NEAR
from nightgarden.domain.state_keys import TEND_OPINIONS as OPINIONS
from nightgarden.domain.state_keys import TEND_RUN as RUN

__all__ = ["BEFORE", "CONFLICTS", "HEALTH", "LAST", "LOG", "NEAR", "OPINIONS", "REFINED", "ROOT", "RUN"]

REFINED = "refine-"  # cycles that clusters are kept up in after many searches, by themselves
