import { knob, orNoLimit, SHARE, section, table, tokens } from './knob'

export const WINDOW_KNOBS = section('Window', 'How large a window counts, and which are too small.', {
  default: knob('Default window', 'Used when nothing names the window of a model.', tokens(1), 200_000),
  cap: knob(
    'Cap',
    'No window counts for more than this, whatever the model could.',
    orNoLimit(tokens()),
    null,
  ),
  byModel: table(knob('*', 'Window of this model.', tokens(), null)),
  blockBelow: knob('Refuse below', 'No run in a window smaller than this.', tokens(), 16_000),
  warnBelow: knob('Warn below', 'A run in a window smaller than this is warned about.', tokens(), 32_000),
  // OpenClaw 2026.7 and later guard by share as well: the higher of tokens and share of the model's window.
  blockShare: knob(
    'Refuse below share',
    'The same as a share of the model’s own window; the higher one holds.',
    SHARE,
    0,
  ),
  warnShare: knob(
    'Warn below share',
    'The same as a share of the model’s own window; the higher one holds.',
    SHARE,
    0,
  ),
})
