import type { SessionListParams } from '@/lib/view/session-list/session-list'

/**
 * Changes what the list shows. The change is made to what the address says at that moment: what a component was last
 * drawn with may be a choice behind.
 */
export type ChooseSessions = (change: (now: SessionListParams) => SessionListParams) => void
