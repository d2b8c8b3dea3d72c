import { count, knob, ON_OFF, SHARE, section } from './knob'

export const RECALL_KNOBS = section('Recall', 'What comes back by itself.', {
  enabled: knob('Semantic recall', 'Bring back older parts that fit the present prompt.', ON_OFF, false),
  memorySearch: knob('Memory search', 'The search that recalls; off: it is never called.', ON_OFF, true),
  maxChunks: knob('Most parts', 'So many at most.', count(), 5),
  minScore: knob('Least score', 'Parts below do not come back.', SHARE, 0.6),
  budgetShare: knob(
    'Share of bootstrap',
    'Recalled parts take at most this share of the bootstrap region.',
    SHARE,
    0.3,
  ),
})
