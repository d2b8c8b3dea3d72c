import { knob, number, ON_OFF, SHARE, section, tokens } from './knob'

export const BUDGET_KNOBS = section('Regions', 'How a window is divided.', {
  enabled: knob('Divide the window', 'Off: history is limited by turns alone.', ON_OFF, false),
  systemPromptRatio: knob('System prompt', 'Share of the window for the system prompt.', SHARE, 0.15),
  bootstrapRatio: knob('Bootstrap files', 'Share of the window for workspace files.', SHARE, 0.1),
  historyRatio: knob('History', 'Share of the window for the conversation so far.', SHARE, 0.45),
  responseRatio: knob('Response', 'Share of the window for the answer.', SHARE, 0.2),
  minResponseTokens: knob(
    'Minimum response',
    'The response never gets less, as long as there is room; history gives way.',
    tokens(),
    4096,
  ),
  reallocate: knob(
    'Reclaim unused',
    'What system prompt and bootstrap files leave unused goes to history.',
    ON_OFF,
    true,
  ),
  reserveForHistory: knob(
    'Reserve to history',
    'On reclaiming, the unallocated reserve goes to history too.',
    ON_OFF,
    true,
  ),
})

export const RESERVE_KNOBS = section('Reserve', 'Head room that is never filled.', {
  tokens: knob('Reserve', 'Kept free for the answer and housekeeping.', tokens(), 20_000),
  floor: knob('Floor', 'A smaller reserve is raised to this; 0 switches the floor off.', tokens(), 20_000),
  maxShare: knob('Largest share', 'The reserve never takes more than this share of a window.', SHARE, 0.25),
})

export const LEDGER_KNOBS = section('Token ledger', 'What a live context sets aside.', {
  systemPromptTokens: knob('System prompt', 'Set aside for the system prompt.', tokens(), 0),
  responseShare: knob('Response', 'Share of the window set aside for the answer.', SHARE, 0.2),
  toolResultShare: knob('Tool results', 'Share of the window set aside for tool results.', SHARE, 0.1),
})

export const COUNTING_KNOBS = section('Counting', 'How careful decisions are.', {
  safetyMargin: knob(
    'Safety margin',
    'Estimates are multiplied by this in decisions, never in a shown figure.',
    number('factor', 1),
    1.2,
  ),
})
