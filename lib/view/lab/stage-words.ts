import type { TuneStage } from '../../core/replay/tune/tune-state'

/** What a tuning is doing, for a reader. */
export const STAGE_WORDS: { readonly [S in TuneStage | 'prepare' | 'replay' | 'evidence']: string } = {
  prepare: 'Making sessions ready',
  replay: 'Replaying',
  sample: 'First points, over a sample of the sessions',
  third: 'The better third, over more sessions',
  all: 'The best, over all that is learnt on',
  around: 'Changes of the best',
  knobs: 'What each value does by itself',
  test: 'The picks, over sessions that were never seen',
  evidence: 'What the picks would have lost',
  done: 'Done',
}
