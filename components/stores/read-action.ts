import type { DoneAnswer } from '@/lib/view/actions/action-answer'

/** A server action that reads stores, as pages hand it to components. */
export type ReadAction = () => Promise<DoneAnswer>
