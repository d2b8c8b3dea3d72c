import 'server-only'
import { undoWriteAction } from '@/app/audit/actions'
import { applyRemedyAction, muteAction, remedyAction, unmuteAction } from '@/app/findings/actions'
import type { FindingActions } from '@/components/findings/finding-actions'

/** What every page with findings hands to its rows. */
export const FINDING_ACTIONS: FindingActions = {
  remedy: remedyAction,
  apply: applyRemedyAction,
  undo: undoWriteAction,
  mute: muteAction,
  unmute: unmuteAction,
}
