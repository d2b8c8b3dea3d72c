import { defaultLoadLines, effectiveBudget, type LineKind, reserveOf } from '../core/budget/load-lines'
import { DEFAULT_WINDOW } from '../core/budget/window'
import { formatCount, formatPercent } from './format'

/** A word of the dashboard and what it means here. */
export type HelpTerm = { readonly id: string; readonly term: string; readonly meaning: string }

/** The words, in the order in which one needs the other. */
export const HELP_TERMS: readonly HelpTerm[] = [
  {
    id: 'store',
    term: 'Store',
    meaning:
      'The place where an agent runtime keeps its sessions: a folder of JSONL files, or an SQLite database. Plimsoll reads it, and writes to it only what you confirmed: under its lock, with a copy kept, and with a receipt that takes it back.',
  },
  {
    id: 'session',
    term: 'Session, transcript',
    meaning:
      'One conversation with an agent, and the record of it. The record only grows; what the agent has forgotten still stands there.',
  },
  {
    id: 'entry',
    term: 'Entry',
    meaning: 'One line or row of a transcript: a message, a tool result, a change of model, a compaction …',
  },
  {
    id: 'call',
    term: 'Call',
    meaning: 'One request to a model. Calls are numbered from 1; each left one answer in the transcript.',
  },
  {
    id: 'turn',
    term: 'Turn',
    meaning: 'What a person wrote, and everything that followed up to the next time.',
  },
  {
    id: 'chunk',
    term: 'Chunk',
    meaning:
      'The smallest thing that can be kept or dropped: a message, or a tool call together with its result.',
  },
  {
    id: 'window',
    term: 'Window',
    meaning:
      'How many tokens the model can take in at once. It comes from the runtime where it says so, else from the name of the model, else it is assumed, and then marked so.',
  },
  {
    id: 'budget',
    term: 'Effective budget',
    meaning:
      'The window less the reserve that is kept free for the answer. Every fill is a share of this, and says so.',
  },
  {
    id: 'frame',
    term: 'Frame',
    meaning:
      'What filled the window at one call: tokens by category, which add up to the size of the prompt.',
  },
  {
    id: 'residual',
    term: 'Residual',
    meaning:
      'The part of a measured prompt that the transcript does not explain. It is shown rather than spread over the rest.',
  },
  {
    id: 'compaction',
    term: 'Compaction',
    meaning: 'The runtime puts a summary in the place of the older part of a conversation.',
  },
  { id: 'reset', term: 'Reset', meaning: 'The context begins anew; nothing from before is sent any more.' },
]

/** What an agent that uses the library does, and when. */
export type HelpDuty = { readonly when: string; readonly call: string; readonly does: string }

/** In the order of a turn. */
export const HELP_DUTIES: readonly HelpDuty[] = [
  {
    when: 'When it is made',
    call: 'agent: { getContext, setContext, form, … }',
    does: 'is what the agent gives: its messages, and how they are read and made. With getMessages(count) it also gives the newest messages as they were said, whatever the context holds of them by now: what was asked last, which tells what may be dropped, is then found although a compaction took it',
  },
  {
    when: 'Before each request',
    call: 'context.beforeResponse(incoming)',
    does: 'does what the lines of the policy ask for, in the order flush, curate and drop, slide completed work into a summary, compact, hold the hard line, roll; below every line it does nothing, and costs nothing. With cold storage it also brings back what the prompt needs of what was dropped, as far as there is room: likeness is told by the embedder that the agent was given as embedding, else, or when that does not answer, by words and hashed vectors. It answers what was done, what went wrong, and whether the context is above its hard line still',
  },
  {
    when: 'To make the request',
    call: 'context.request({ parts, prompt })',
    does: 'answers the system prompt with the workspace files as they are now, and the messages to send, in order, within their limits, and pruned by the rules that the policy has switched on: anew only when the provider’s cache has gone cold, so that it stays warm otherwise; never a tool result without its call. When memory is to be saved, the request says so',
  },
  {
    when: 'Around the request',
    call: 'context.send(request)',
    does: 'makes it; when the provider finds it too long, compacts and makes it again, twice at most',
  },
  {
    when: 'After each turn',
    call: 'context.afterResponse({ usage })',
    does: 'counts it, notes whether memory was saved, writes a checkpoint where one is due, and above the curation line drops what has nothing to do with the question: into cold storage first, then out of the context. The provider’s figure beats every estimate; pass it when there is one',
  },
  {
    when: 'After a restart',
    call: 'context.resume(taken)',
    does: 'answers what beforeResponse offers as resume: the plan that was left half done, step by step. Taken up, the list stands before the prompt of the next request; turned down, it is not offered again. The plan is what the planning tool was called with last, or what the agent gives as plan; it is noted once a minute at most',
  },
  {
    when: 'By hand',
    call: 'context.compact({ focus })',
    does: 'compacts at any fill; what the focus names is kept above all',
  },
  {
    when: 'To get something back',
    call: 'context.recover(chunkId)',
    does: 'puts a dropped chunk at the end of the context, as a note in the role of the user, and logs it; it refuses with the reason what has expired or is not there',
  },
  {
    when: 'To take that back',
    call: 'context.undoRecovery(chunkId)',
    does: 'takes out of the context what came back, by itself or by hand: its note leaves, all other messages stay, and right after the recovery the conversation is what it was before. It is logged, and the chunk is in cold storage as before: another question may bring it back. It refuses with the reason when a compaction or a drop has taken the note meanwhile, when a rolling summary speaks for it, and when cold storage no longer has what it holds',
  },
  {
    when: 'For a large message',
    call: 'context.canAdd(message), context.addWithRoom(message)',
    does: 'adds it; where it does not fit, the oldest tool results make room for it, or nothing is changed. context.toolResults() says what they hold',
  },
  {
    when: 'To show how it stands',
    call: 'context.status()',
    does: 'answers fill, chunks in the context and in cold storage, compactions, whether the next one is due, and which values of the policy contradict each other',
  },
  {
    when: 'Around each task',
    call: 'tasks.add(task), tasks.start(id), tasks.complete(id, { summary, artifacts })',
    does: 'a TaskKeeper, given to the ContextManager as recall.tasks: keeps what each task came to, puts its tool results away, takes facts from it, and has in the system prompt what the next one depends on. Keep it with taskFolder(folder), and it survives a restart',
  },
  {
    when: 'To remember across sessions',
    call: 'recall: { search, events }',
    does: 'options of the ContextManager: a RecallLibrary over memoryFiles(workspace), recallCold and recallSessions is searched for each prompt while semantic history is on; memoryEventLog(folder) notes what was recalled. A folder below the state folder, or one named as agentMemory in plimsoll.yaml, shows on the Memory page',
  },
  {
    when: 'Only to measure',
    call: 'context.check(incoming, reported)',
    does: 'answers how full the window is and which lines that reaches, after context.add(message) or context.recount(messages); it changes nothing',
  },
  {
    when: 'At the end of a session',
    call: 'context.sessionEnd()',
    does: 'keeps what the context holds in cold storage for a week, where it can be searched and brought back',
  },
  {
    when: 'At the end',
    call: 'promptCache.close()',
    does: 'lets go of the watched workspace',
  },
  {
    when: 'At all times',
    call: 'the agent’s own part',
    does: 'never changes a message in place; puts what request answers into the order that its provider accepts (orderForProvider); gives messages their time where it has one, since the age of the others is unknown; marks what must stay with important: true, or with a line of the user that begins with IMPORTANT: ; reads the warnings that each call answers: what fails costs one of them, never the turn',
  },
]

/** A load line with its level on a sample window, and what happens there. */
export type HelpLine = {
  readonly name: string
  readonly share: string
  readonly tokens: string
  readonly does: string
}

const LINE_WORDS: { readonly [K in LineKind]: string } = {
  curate: 'what has nothing to do with the question is dropped to cold storage',
  compact:
    'chunks are dropped or said in short by their relevance; where that is not enough, older messages are summarised',
  slide: 'summaries slide along, so that only recent turns stay whole',
  checkpoint: 'the state of the work is saved',
  flush: 'what should outlive the window is written to memory',
  hard: 'nothing more goes in: the lower of its share and window less reserve',
}

/** The ladder of the default policy on a window of the usual size, lowest first. */
export function helpLines(): {
  readonly window: string
  readonly reserve: string
  readonly budget: string
  readonly lines: readonly HelpLine[]
} {
  return {
    window: formatCount(DEFAULT_WINDOW),
    reserve: formatCount(reserveOf(DEFAULT_WINDOW)),
    budget: formatCount(effectiveBudget(DEFAULT_WINDOW)),
    lines: defaultLoadLines(DEFAULT_WINDOW).map((line) => ({
      name: line.kind,
      share: formatPercent(line.pct / 100),
      tokens: formatCount(line.tokens),
      does: LINE_WORDS[line.kind],
    })),
  }
}
