import { count, group, knob, MS, ON_OFF, SHARE, section, text, tokens } from './knob'

export const SUMMARY_KNOBS = section('Summaries', 'Who summarises, what and how long.', {
  model: knob(
    'Model',
    'provider/model that summarises; empty: none, and the digest is the summary.',
    text(),
    '',
    'model',
  ),
  // Off until the operator says so: a transcript names that model, and a key that is set is no leave to send the
  // conversation.
  fallbackToMain: knob(
    'Ask the session’s own model',
    'Where no model is named, or it fails, the one that the session runs on is asked if its key is set; off: the digest.',
    ON_OFF,
    false,
    'model',
  ),
  url: knob('Address', 'Where the summarising model listens; empty is its provider.', text(), '', 'address'),
  failureThreshold: knob(
    'Failures in a row',
    'After so many, the model is passed over for a while.',
    count(),
    3,
  ),
  resetMs: knob('Passed over for', 'Until the model is tried again.', MS, 1_800_000),
  retryMs: knob('Retry summaries', 'A failed summary is made up for after this time; 0 never.', MS, 60_000),
  mediumChunks: knob(
    'Summarise the middle',
    'Chunks of medium score are summarised instead of dropped.',
    ON_OFF,
    true,
  ),
  targetTokens: knob('Target', 'Length of such a summary.', tokens(), 500),
  rolling: group({
    enabled: knob('Rolling summary', 'One summary of what is old, extended as it goes.', ON_OFF, true),
    windowTurns: knob(
      'Rolling: verbatim turns',
      'Newest user turns outside of the rolling summary.',
      count('turns'),
      5,
    ),
    maxTokens: knob('Rolling: longest', 'The rolling summary is cut to this.', tokens(), 2000),
    triggerTokens: knob('Rolling: from', 'History above this starts the rolling summary.', tokens(), 30_000),
    triggerShare: knob(
      'Rolling: from share',
      'And never later than this share of the history budget.',
      SHARE,
      0.8,
    ),
  }),
  sliding: group({
    enabled: knob(
      'Sliding summary',
      'Completed work is replaced by a summary at the slide line.',
      ON_OFF,
      true,
    ),
    everyIterations: knob(
      'Sliding: every',
      'And after every so many turns, or requests within one turn.',
      count(),
      5,
    ),
  }),
  checkpoint: group({
    everyTurns: knob('Checkpoint: every', 'Also after so many turns.', count('turns'), 15),
    minTokens: knob('Checkpoint: from', 'Not in contexts smaller than this.', tokens(), 10_000),
    coverage: knob(
      'Checkpoint: coverage',
      'One that covers this share of the tokens serves as the summary.',
      SHARE,
      0.5,
    ),
  }),
})
