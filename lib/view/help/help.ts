import { defaultLoadLines, effectiveBudget, type LineKind, reserveOf } from '../../core/budget/load-lines'
import { runtimeCompactLine, runtimeLines } from '../../core/budget/runtime-lines'
import { DEFAULT_WINDOW } from '../../core/budget/window'
import { NO_SUBJECT } from '../../core/policy/effective'
import { runtimePolicy } from '../../core/policy/runtime/runtime-policy'
import { LIST_EDITION } from '../../core/tokens/list-edition'
import { CUT_CURE } from '../session/seen'
import { formatCount, formatPercent } from '../text/format'
import { SHORT_MEANINGS } from './short-meanings'

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
      'One conversation with an agent, and the record of it. The record only grows; what the agent has forgotten is still in it.',
  },
  {
    id: 'archive',
    term: 'Archive',
    meaning:
      'Copies of transcripts, made before their runtime deletes them, where the settings file has archive: { enabled: true }. A session whose transcript is no longer in its store is called gone; its texts are then read from the archive, and "plimsoll archive restore" puts them back, byte for byte. The copies are private texts: packed, not encrypted.',
  },
  {
    id: 'entry',
    term: 'Entry',
    meaning: SHORT_MEANINGS.entry,
  },
  {
    id: 'call',
    term: 'Call',
    meaning: `${SHORT_MEANINGS.call} Calls are numbered from 1; each left one answer in the transcript.`,
  },
  {
    id: 'record',
    term: 'Record of a response',
    meaning:
      'Claude Code writes each block of a response as a line, Codex each item, and both write what it used on a later one. All of them are one call; its figures change until the last has come. Lines of sub-agents in the file of their parent, and requests for a summary, are billed to the session and fill none of its windows.',
  },
  {
    id: 'sub-agent',
    term: 'Sub-agent',
    meaning:
      'A session that another one started to work for it. It folds under that one in the list, whose page has all of them as a tree: calls, tokens, price, largest prompt and what each is of the bill. Nothing of a sub-agent is in the window of its session. Requests that lines in the file of the session itself record (sub-agents of early Claude Code, compactions of Codex) are a row there. Prices are as recorded, else at list prices; where a part of the bill has no price, no share is said.',
  },
  {
    id: 'repeated',
    term: 'Repeated lines',
    meaning:
      'Claude Code writes lines of a session once more when that is resumed or forked. Within a file they are kept, marked as repeated, and counted and sent once. Where another file holds the same requests, plimsoll sessions --json counts them in the older session (repeatedCalls says how many), and plimsoll report counts them once; the pages show each transcript as it is, so that the sums of the Overview hold them once for each file.',
  },
  {
    id: 'turn',
    term: 'Turn',
    meaning: SHORT_MEANINGS.turn,
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
    meaning: `${SHORT_MEANINGS.window} It comes from the runtime or your configuration where those say so, else from ${LIST_EDITION.name} of ${LIST_EDITION.date}, else it is assumed, and then marked so. A prompt that the provider reported proves a window at least as large; an estimate proves nothing.`,
  },
  {
    id: 'cut',
    term: 'Cut prompt',
    meaning: `A provider may see less than it was sent: Ollama cuts a prompt to num_ctx and reports what is left, the same size call after call. Such calls say so, the window is what they were cut to, and which messages were seen is unknown. The runtime still compacts by the window that it believes in: its lines are drawn there, and both windows are named. What a runtime does is replayed in that one too; a compaction that you plan, and drafts and presets, go by what the model sees. ${CUT_CURE}`,
  },
  {
    id: 'proved',
    term: 'Proved request',
    meaning:
      'From version 2.1.330 on, Claude Code records a hash (SHA-256) of each message that it sends, and of system prompt and tools. A request is proved when the transcript has a text for each of them and every text has its hash: then nothing was left out, added or changed. One text that is missing or differs is enough for a request not to be proved. Requests of compactions are not recorded.',
  },
  {
    id: 'cost',
    term: 'Cost',
    meaning: `${SHORT_MEANINGS.cost} Where it recorded none, as Claude Code and Codex do, a request is priced with the prices of your settings (prices: in plimsoll.yaml), else at list price (${LIST_EDITION.name} of ${LIST_EDITION.date}: long prompts and both cache lifetimes at their own price). A sum with such a part is marked ≈, and its tooltip names both parts: what a list says was not billed, least of all under a subscription. A + behind a sum means that requests without a price are not in it; “unpriced” that none has a price. Unknown is never 0.`,
  },
  {
    id: 'budget',
    term: 'Effective budget',
    meaning: `${SHORT_MEANINGS.budget} Every fill is a share of this, and says so.`,
  },
  {
    id: 'runtime-policy',
    term: 'Runtime policy',
    meaning: `${SHORT_MEANINGS['runtime-policy']} Lines, fills, warnings and “calls to go” use it. Where version or settings are not known, the page shows what is assumed, and why.`,
  },
  {
    id: 'draft',
    term: 'Draft',
    meaning:
      'A policy that you try: a preset, your settings file, or what --policy names. It governs no runtime until it is applied there.',
  },
  {
    id: 'fit',
    term: 'Fit',
    meaning: `${SHORT_MEANINGS.fit} Those that were asked for, that followed an overflow, or of which the size is unknown are listed apart.`,
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
    meaning: `${SHORT_MEANINGS.residual} Mostly it is what is sent before the conversation and reported nowhere. It is shown rather than spread over the rest.`,
  },
  {
    id: 'compaction',
    term: 'Compaction',
    meaning: SHORT_MEANINGS.compaction,
  },
  {
    id: 'checkpoint',
    term: 'Provider checkpoint',
    meaning:
      'The provider compacts on its own side and leaves a checkpoint on its answer; calls that go the same way send it in place of all before it. Anthropic’s is readable, what those of OpenAI and xAI keep is unknown.',
  },
  {
    id: 'mirror',
    term: 'Mirror',
    meaning:
      'A transcript of a session that another harness runs (Codex, Claude CLI): that one keeps the real history and compacts it.',
  },
  {
    id: 'client-settings',
    term: 'Settings of Claude Code and Codex',
    meaning:
      'Read beside their sessions: settings.json (autoCompactEnabled, autoCompactWindow, modelSettings, idleCompaction, variables under env), what an administrator puts above it, the switch in .claude.json, and config.toml (model_auto_compact_token_limit and its scope, model_context_window) with config.toml below and managed_config.toml above it in /etc/codex. The newest session names the release. Not read are .claude/settings.json, .claude/settings.local.json and .codex/config.toml of a project, as transcripts alone name its folder and a store decides no path; nor profiles of Codex, options of the command line and variables of the shell. The status line has the variables and the project’s settings, as Claude Code starts it and names the project.',
  },
  {
    id: 'client-repair',
    term: 'Repair of Claude Code and Codex',
    meaning:
      'Of Claude Code: lines that cannot be read, grew together or are there twice, parents that are missing or form a circle, calls and results without each other, content that the API refuses. Of Codex the lines alone: its client puts calls and results in order each time it sends. A repair waits for two minutes after somebody else wrote, and undo brings back every byte.',
  },
  { id: 'reset', term: 'Reset', meaning: SHORT_MEANINGS.reset },
  {
    id: 'mid-task',
    term: 'Mid-task',
    meaning: `${SHORT_MEANINGS['mid-task']} What the agent was about to do is then known by the summary alone.`,
  },
  {
    id: 'below-the-line',
    term: 'Below the line',
    meaning: `${SHORT_MEANINGS['below-the-line']} It was asked for, or the settings of that time were others.`,
  },
  {
    id: 'repeated-at-once',
    term: 'Repeated at once',
    meaning: `${SHORT_MEANINGS['repeated-at-once']} It summarises the summary that has just been written, and costs what the first one cost.`,
  },
  {
    id: 'reclaimed-little',
    term: 'Reclaimed little, reclaimed nothing',
    meaning: `${SHORT_MEANINGS['reclaimed-little']} More than nine tenths were left; “nothing” where it was not smaller at all. The next one comes soon.`,
  },
  { id: 'curate', term: 'Curate', meaning: SHORT_MEANINGS.curate },
  { id: 'compact', term: 'Compact', meaning: SHORT_MEANINGS.compact },
  { id: 'slide', term: 'Slide', meaning: SHORT_MEANINGS.slide },
  { id: 'checkpoints', term: 'Checkpoints of the work', meaning: SHORT_MEANINGS.checkpoints },
  { id: 'flushes', term: 'Flush', meaning: SHORT_MEANINGS.flushes },
  {
    id: 'hard',
    term: 'Hard limit',
    meaning: `${SHORT_MEANINGS.hard} It is the lower of its share and of the window less the reserve.`,
  },
]

/** What an agent that uses the library does, and when. */
export type HelpDuty = { readonly when: string; readonly call: string; readonly does: string }

/** In the order of a turn. */
export const HELP_DUTIES: readonly HelpDuty[] = [
  {
    when: 'When it is made',
    call: 'agent: { getContext, setContext, form, … }',
    does: 'is what the agent gives: its messages, and how they are read and made; all of it is listed below. With getMessages(count) it also gives the newest messages as they were said, whatever the context holds of them by now: what was asked last, which tells what may be dropped, is then found although a compaction took it',
  },
  {
    when: 'Before each request',
    call: 'context.beforeResponse(incoming)',
    does: 'does what the lines of the policy ask for, in the order flush, curate and drop, slide completed work into a summary, compact, hold the hard line, roll; below every line it does nothing, and costs nothing. With cold storage it also brings back what the prompt needs of what was dropped, as far as there is room: likeness is measured by the embedder that the agent was given as embedding, else, or when that does not answer, by words and hashed vectors. It answers what was done, what went wrong, and whether the context is above its hard line still',
  },
  {
    when: 'To make the request',
    call: 'context.request({ parts, prompt })',
    does: 'answers the system prompt with the workspace files, and the notes of today and yesterday in memory/, as they are now, and the messages to send, in order, within their limits, and pruned by the rules that the policy has switched on: anew only when the provider’s cache has gone cold, so that it stays warm otherwise; never a tool result without its call, never a call without a result or a line that says so, no two messages of one side in a row, ids as the provider takes them. When memory is to be saved, the request says so',
  },
  {
    when: 'Around the request',
    call: 'context.send(request)',
    does: 'makes it; when the provider finds it too long, whether it throws, answers so, or answers with more tokens than the window holds, compacts and makes it again, twice at most. In a window below window.blockBelow this and request throw WindowRefused before anything is asked',
  },
  {
    when: 'After a request within a turn',
    call: 'context.noteUsage(prompt)',
    does: 'takes what the provider counted for the request that was made of the context as it is; it beats every estimate until more than new messages changes the context. null takes it back',
  },
  {
    when: 'After each turn',
    call: 'context.afterResponse({ usage })',
    does: 'counts it, notes whether memory was saved, writes a checkpoint where one is due, and above the curation line drops what has nothing to do with the question: into cold storage first, then out of the context. The provider’s figure beats every estimate; pass it when there is one',
  },
  {
    when: 'After a restart',
    call: 'context.resume(taken)',
    does: 'answers what beforeResponse offers as resume: the plan that was left half done, step by step. Taken up, the list comes before the prompt of the next request; turned down, it is not offered again. The plan is what the planning tool was called with last, or what the agent gives as plan; it is noted once a minute at most',
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
    when: 'To show its state',
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
    does: 'never changes a message in place; gives messages their time (timestamp) where it has one: order is used for the age of the others, and one warning says so; marks what must stay with important: true, or with a line of the user that begins with IMPORTANT: ; reads the warnings that each call answers: what fails costs one of them, never the turn',
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

/** What each known runtime does automatically in a window of the usual size. */
export function helpRuntimes(): readonly {
  readonly name: string
  readonly compact: string
  readonly besides: string
}[] {
  const known = [
    ['OpenClaw 2026.2', 'openclaw', 'jsonl', '2026.2.26'],
    ['OpenClaw 2026.7', 'openclaw', 'jsonl', '2026.7.1'],
    ['OpenClaw 2026.9', 'openclaw', 'sqlite', '2026.9.6'],
    ['OpenClaw 2026.9 with OpenAI', 'openclaw', 'sqlite', '2026.9.6'],
    ['pi', 'pi', 'jsonl', null],
    ['Claude Code', 'claude-code', 'jsonl', null],
    ['Codex', 'codex', 'jsonl', null],
    ['OpenCode', 'opencode', 'sqlite', null],
  ] as const
  return known.map(([name, owner, era, version]) => {
    const provider = name.endsWith('OpenAI') ? 'openai' : null
    const stated = version === null ? null : { value: version, from: '' }
    const policy = runtimePolicy(
      { owner, era, version: stated, files: [], own: null },
      { ...NO_SUBJECT, provider, at: null },
    )
    const others = runtimeLines(policy, DEFAULT_WINDOW).filter(({ kind }) => kind !== 'compact')
    return {
      name,
      compact: formatCount(runtimeCompactLine(policy, DEFAULT_WINDOW) ?? 0),
      besides: others
        .map((line) => `${RUNTIME_WORDS[line.name] ?? line.name} from ${formatCount(line.tokens)}`)
        .join('; '),
    }
  })
}

const RUNTIME_WORDS: { readonly [name: string]: string } = {
  flush: 'memory is flushed once',
  'provider compact': 'the provider compacts on its side',
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
