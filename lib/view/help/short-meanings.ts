/**
 * Words of the screens, each with its meaning in one sentence: what is shown on hover, and what its entry in the help
 * begins with. Apart from the help, so that a page that shows one of them need not load all of it.
 */
export const SHORT_MEANINGS = {
  call: 'One request to a model.',
  turn: 'What a person wrote, and everything that followed up to the next time.',
  window: 'How many tokens the model can take in at once.',
  budget: 'The window less the reserve that is kept free for the answer.',
  'runtime-policy':
    'What the runtime that owns a session really does: the rules of its release, with its own settings on top.',
  residual: 'The part of a measured prompt that the transcript does not explain.',
  compaction: 'The runtime puts a summary in the place of the older part of a conversation.',
  entry:
    'One line or row of a transcript: a message, a tool result, a change of model, a compaction and so on.',
  cost: 'What the runtime recorded counts first.',
  fit: 'How many of the recorded compactions the runtime policy explains within one call, in the window of that time.',
  reset: 'The context begins anew; nothing from before is sent any more.',
  'mid-task':
    'A compaction in the middle of work: the last message had called a tool, or its results had just come.',
  'below-the-line': 'A compaction that came although the line of its runtime was not reached.',
  'repeated-at-once': 'A compaction right after another one: no call was made between them.',
  'reclaimed-little': 'A compaction after which the prompt was hardly smaller than before.',
  curate: 'From this line on, what has nothing to do with the question is dropped to cold storage.',
  compact: 'From this line on, older messages are summarised, or dropped by their relevance.',
  slide:
    'From this line on, completed work is replaced by its summary, so that only recent turns stay whole.',
  checkpoints: 'At each of these lines the state of the work is noted: topics, decisions, open questions.',
  flushes: 'At each of these lines what should outlive the window is written to memory.',
  hard: 'Above this line nothing more goes in: what is worth least is dropped until it fits.',
} as const satisfies { readonly [id: string]: string }

/** A word with a short meaning; its address on the help page. */
export type ShortTerm = keyof typeof SHORT_MEANINGS
