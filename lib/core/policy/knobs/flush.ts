import { choice, knob, list, section, text, tokens } from './knob'

export const FLUSH_KNOBS = section('Flush', 'When memory is written.', {
  softThresholdTokens: knob(
    'Flush ahead by',
    'A flush line so far below the compaction, besides the others; 0 is none.',
    tokens(),
    0,
  ),
  delivery: knob(
    'Flush prompts come as',
    'In whose name the agent is asked at each flush line, in their order; the last one serves further lines.',
    list(choice({ system: 'a note in the system prompt', user: 'a message of the user' }), 1),
    ['system', 'system', 'user'],
  ),
  prompts: knob(
    'Flush prompts',
    'What the agent is asked at each flush line, in their order; empty: our own words. YYYY-MM-DD becomes the day.',
    list(text(0, 8000)),
    [],
  ),
  systemPrompt: knob(
    'Flush system prompt',
    'Added to the system prompt of the request that asks; empty: nothing.',
    text(0, 8000),
    '',
  ),
})
