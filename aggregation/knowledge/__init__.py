"""From consensus to relation and linking tasks, and to an exported knowledge base."""

from aggregation.sentences import CATALOGUE
from annotation.sentences import CodedError


class WrongCampaign(CodedError, ValueError):
    """What was asked for is not for this campaign or project, or there is nothing to do it with."""

    catalogue = CATALOGUE
