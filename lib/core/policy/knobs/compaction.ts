import { choice, count, knob, ON_OFF, SHARE, section, tokens, wait } from './knob'

export const COMPACTION_KNOBS = section('Compaction', 'How a full history is cut.', {
  mode: knob(
    'Mode',
    'How careful a compaction is.',
    choice({
      default: 'takes the summary as it comes',
      safeguard: 'prunes what is summarised to the history share, and audits the summary',
      off: 'never compacts',
    }),
    'safeguard',
  ),
  keepRecentTokens: knob(
    'Keep recent',
    'The newest part of the conversation that stays verbatim.',
    tokens(),
    20_000,
  ),
  parts: knob('Parts', 'A long history is summarised in so many parts.', count('count', 1), 2),
  minMessages: knob('Least messages', 'Fewer messages are not split.', count(), 4),
  oversizedShare: knob(
    'Oversized message',
    'A message above this share of the window is left out; a note with its size replaces it.',
    SHARE,
    0.5,
  ),
  identifierPolicy: knob(
    'Identifiers',
    'What becomes of paths, hashes and numbers in a summary.',
    choice({ strict: 'they must survive', off: 'they may be lost' }),
    'strict',
  ),
  qualityRetries: knob(
    'Quality retries',
    'How often a summary that fails its audit is made again.',
    count(),
    1,
  ),
  // Runtimes hold no such share.
  withinShare: knob(
    'Hold the history share',
    'What stays and its summary take no more than the history share; off: as much as the other rules keep.',
    ON_OFF,
    true,
  ),
  timeoutMs: knob(
    'Timeout',
    'All requests for a summary together; what is written by then is kept, the rest becomes a digest.',
    wait(),
    300_000,
  ),
  retries: knob('Model retries', 'How often a failing model is asked again.', count(), 3),
})
