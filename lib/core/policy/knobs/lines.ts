import { group, knob, list, ON_OFF, SHARE, section } from './knob'

export const LINES_KNOBS = section('Load lines', 'The one ladder: what happens at which fill.', {
  curate: group({
    enabled: knob('Curate', 'Weed out what is of no use.', ON_OFF, true),
    at: knob('Curate at', 'Share of the window at which curating starts.', SHARE, 0.4),
  }),
  compact: group({
    enabled: knob('Compact', 'Summarise and drop by relevance.', ON_OFF, true),
    at: knob('Compact at', 'Share of the window at which compaction starts.', SHARE, 0.5),
  }),
  slide: group({
    enabled: knob('Slide', 'Replace completed work by a summary.', ON_OFF, true),
    at: knob('Slide at', 'Share of the window at which completed work is summarised.', SHARE, 0.7),
  }),
  hard: group({
    enabled: knob(
      'Hard limit',
      'Nothing gets above it: the lowest scores are dropped until it fits.',
      ON_OFF,
      true,
    ),
    at: knob('Hard limit at', 'Share of the window, or window − reserve where that is lower.', SHARE, 0.85),
  }),
  checkpoints: group({
    enabled: knob('Checkpoints', 'Note topics, decisions and open questions.', ON_OFF, true),
    at: knob(
      'Checkpoints at',
      'Shares of the window, each acting once per cycle.',
      list(SHARE),
      [0.25, 0.5, 0.75],
    ),
  }),
  flush: group({
    enabled: knob('Flush', 'Write memory before something is lost.', ON_OFF, true),
    at: knob('Flush at', 'Shares of the window, each acting once per cycle.', list(SHARE), [0.5, 0.75, 0.9]),
  }),
})
