import { choice, count, group, knob, number, positive, SHARE, section, text, wait } from './knob'

export const RELEVANCE_KNOBS = section('Relevance', 'What a chunk is worth.', {
  scorer: knob(
    'Scorer',
    'How the worth of a chunk is worked out.',
    choice({
      seed: 'likeness, age and marks, weighted',
      logistic: 'how likely it is needed again, by its age, use and size',
    }),
    'seed',
  ),
  embedder: group({
    model: knob(
      'Embedder',
      'provider/model that says how alike texts are; empty: words and spelling do, without a service.',
      text(),
      '',
      'model',
    ),
    url: knob(
      'Embedder address',
      'Where the embedder listens; empty is its provider.',
      text(),
      '',
      'address',
    ),
    timeoutMs: knob('Embedder wait', 'Then likeness is worked out without it.', wait(1), 10_000),
  }),
  cutoff: knob('Cut-off', 'Chunks that score at or below are dropped.', SHARE, 0.3),
  keep: knob('Keep from', 'Chunks that score at or above stay; between is summarised.', SHARE, 0.7),
  similarityWeight: knob(
    'Similarity weight',
    'How much likeness to the present prompt counts.',
    number('factor'),
    0.6,
  ),
  similarityFloor: knob('Similarity floor', 'Less likeness than this counts as none.', SHARE, 0.05),
  recencyBonus: knob('Recency bonus', 'What a brand-new chunk gets on top.', number('factor'), 0.2),
  recency: knob(
    'Recency',
    'How the recency bonus changes with the age of a chunk.',
    choice({ decay: 'fades with age', literal: 'grows with age, as one source wrote it' }),
    'decay',
  ),
  recencyHours: knob(
    'Fades in',
    'After this time a third of the recency bonus is left.',
    positive('hours'),
    6,
  ),
  importanceBonus: knob(
    'Importance bonus',
    'What a chunk marked as important gets on top.',
    number('factor'),
    0.1,
  ),
  minChunks: knob('Least chunks', 'The newest so many chunks always stay.', count(), 5),
})
