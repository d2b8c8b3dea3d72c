import { splitPath } from '../core/policy/path'
import type { Policy } from '../core/policy/policy'

type Leaf = string | number | boolean | null | readonly unknown[]

/** Dotted paths to every single value of a policy. Tables with keys that the operator chooses are not among them. */
type PathsOf<T> = {
  [K in keyof T & string]: T[K] extends Leaf ? K : string extends keyof T[K] ? never : `${K}.${PathsOf<T[K]>}`
}[keyof T & string]

export type KnobPath = PathsOf<Policy>

/** What a figure is counted in; shares are from 0 to 1. */
export type KnobUnit = 'share' | 'tokens' | 'chars' | 'ms' | 'seconds' | 'hours' | 'days' | 'turns' | 'none'

/** What a value is called and what it decides, in the operator's words. */
export type KnobWords = { readonly label: string; readonly about: string; readonly unit: KnobUnit }

export type KnobGroup = {
  readonly id: keyof Policy
  readonly title: string
  readonly about: string
  readonly paths: readonly KnobPath[]
}

const knob = (label: string, about: string, unit: KnobUnit = 'none'): KnobWords => ({ label, about, unit })

/** Every value of a policy in words. A value that is missing here does not compile. */
export const KNOBS: { readonly [P in KnobPath]: KnobWords } = {
  'window.default': knob('Default window', 'Used when nothing names the window of a model.', 'tokens'),
  'window.cap': knob('Cap', 'No window counts for more than this, whatever the model could.', 'tokens'),
  'window.blockBelow': knob('Refuse below', 'No run in a window smaller than this.', 'tokens'),
  'window.warnBelow': knob('Warn below', 'A run in a window smaller than this is warned about.', 'tokens'),
  'window.blockShare': knob(
    'Refuse below share',
    'The same as a share of the model’s own window; the higher one holds.',
    'share',
  ),
  'window.warnShare': knob(
    'Warn below share',
    'The same as a share of the model’s own window; the higher one holds.',
    'share',
  ),

  'budget.enabled': knob('Divide the window', 'Off: history is limited by turns alone.'),
  'budget.systemPromptRatio': knob('System prompt', 'Share of the window for the system prompt.', 'share'),
  'budget.bootstrapRatio': knob('Bootstrap files', 'Share of the window for workspace files.', 'share'),
  'budget.historyRatio': knob('History', 'Share of the window for the conversation so far.', 'share'),
  'budget.responseRatio': knob('Response', 'Share of the window for the answer.', 'share'),
  'budget.minResponseTokens': knob(
    'Least response',
    'The response never gets less, as long as there is room; history gives way.',
    'tokens',
  ),
  'budget.reallocate': knob(
    'Reclaim unused',
    'What system prompt and bootstrap files leave unused goes to history.',
  ),
  'budget.reserveForHistory': knob(
    'Reserve to history',
    'On reclaiming, the unallocated reserve goes to history too.',
  ),

  'reserve.tokens': knob('Reserve', 'Kept free for the answer and housekeeping.', 'tokens'),
  'reserve.floor': knob('Floor', 'A smaller reserve is raised to this; 0 switches the floor off.', 'tokens'),
  'reserve.maxShare': knob(
    'Largest share',
    'The reserve never takes more than this share of a window.',
    'share',
  ),

  'ledger.systemPromptTokens': knob('System prompt', 'Set aside for the system prompt.', 'tokens'),
  'ledger.responseShare': knob('Response', 'Share of the window set aside for the answer.', 'share'),
  'ledger.toolResultShare': knob('Tool results', 'Share of the window set aside for tool results.', 'share'),

  'lines.curate.enabled': knob('Curate', 'Weed out what is of no use.'),
  'lines.curate.at': knob('Curate at', 'Share of the window at which curating starts.', 'share'),
  'lines.compact.enabled': knob('Compact', 'Summarise and drop by relevance.'),
  'lines.compact.at': knob('Compact at', 'Share of the window at which compaction starts.', 'share'),
  'lines.slide.enabled': knob('Slide', 'Replace completed work by a summary.'),
  'lines.slide.at': knob('Slide at', 'Share of the window at which completed work is summarised.', 'share'),
  'lines.hard.enabled': knob(
    'Hard limit',
    'Nothing gets above it: the lowest scores are dropped until it fits.',
  ),
  'lines.hard.at': knob(
    'Hard limit at',
    'Share of the window, or window − reserve where that is lower.',
    'share',
  ),
  'lines.checkpoints.enabled': knob('Checkpoints', 'Note topics, decisions and open questions.'),
  'lines.checkpoints.at': knob(
    'Checkpoints at',
    'Shares of the window, each acting once per cycle.',
    'share',
  ),
  'lines.flush.enabled': knob('Flush', 'Write memory before something is lost.'),
  'lines.flush.at': knob('Flush at', 'Shares of the window, each acting once per cycle.', 'share'),

  'counting.safetyMargin': knob(
    'Safety margin',
    'Estimates are multiplied by this in decisions, never in a shown figure.',
  ),

  'history.maxTurns': knob(
    'Turns sent',
    'Newest user turns sent, for channels without a limit of their own.',
    'turns',
  ),
  'history.trimAbove': knob(
    'Trim above',
    'A turn limit acts only above so many times its turns, and then cuts down to them.',
  ),
  'history.recentTurns': knob(
    'Recent turns kept',
    'Newest user turns that a token limit keeps whole.',
    'turns',
  ),
  'history.maxShare': knob(
    'History share',
    'Share of the window that history may hold after a compaction.',
    'share',
  ),
  'history.sendThinking': knob('Send thinking', 'Whether earlier thinking is sent to the model again.'),

  'compaction.mode': knob('Mode', 'Safeguard splits and audits; off never compacts.'),
  'compaction.keepRecentTokens': knob(
    'Keep recent',
    'The newest part of the conversation that stays verbatim.',
    'tokens',
  ),
  'compaction.parts': knob('Parts', 'A long history is summarised in so many parts.'),
  'compaction.minMessages': knob('Least messages', 'Fewer messages are not split.'),
  'compaction.oversizedShare': knob(
    'Oversized message',
    'A message above this share of the window is left out; a note with its size stands for it.',
    'share',
  ),
  'compaction.identifierPolicy': knob(
    'Identifiers',
    'Strict: paths, hashes and numbers must survive the summary.',
  ),
  'compaction.qualityRetries': knob(
    'Quality retries',
    'How often a summary that fails its audit is made again.',
  ),
  'compaction.timeoutMs': knob('Timeout', 'A compaction that takes longer is given up.', 'ms'),
  'compaction.retries': knob('Model retries', 'How often a failing model is asked again.'),

  'summary.model': knob(
    'Model',
    'provider/model that summarises; empty: none is asked, the summary is a digest.',
  ),
  'summary.url': knob('Address', 'Where the summarising model listens; empty is its provider.'),
  'summary.failureThreshold': knob(
    'Failures in a row',
    'After so many, the model is passed over for a while.',
  ),
  'summary.resetMs': knob('Passed over for', 'Until the model is tried again.', 'ms'),
  'summary.retryMs': knob(
    'Retry summaries',
    'A failed summary is made up for after this time; 0 never.',
    'ms',
  ),
  'summary.mediumChunks': knob(
    'Summarise the middle',
    'Chunks of medium score are summarised instead of dropped.',
  ),
  'summary.targetTokens': knob('Target', 'Length of such a summary.', 'tokens'),
  'summary.rolling.enabled': knob('Rolling summary', 'One summary of what is old, extended as it goes.'),
  'summary.rolling.windowTurns': knob(
    'Rolling: verbatim turns',
    'Newest user turns outside of the rolling summary.',
    'turns',
  ),
  'summary.rolling.maxTokens': knob('Rolling: longest', 'The rolling summary is cut to this.', 'tokens'),
  'summary.rolling.triggerTokens': knob(
    'Rolling: from',
    'History above this starts the rolling summary.',
    'tokens',
  ),
  'summary.rolling.triggerShare': knob(
    'Rolling: from share',
    'And never later than this share of the history budget.',
    'share',
  ),
  'summary.sliding.enabled': knob(
    'Sliding summary',
    'Completed work is replaced by a summary at the slide line.',
  ),
  'summary.sliding.everyIterations': knob('Sliding: every', 'And every so many iterations.'),
  'summary.checkpoint.everyTurns': knob('Checkpoint: every', 'Also after so many turns.', 'turns'),
  'summary.checkpoint.minTokens': knob('Checkpoint: from', 'Not in contexts smaller than this.', 'tokens'),
  'summary.checkpoint.coverage': knob(
    'Checkpoint: coverage',
    'One that covers this share of the tokens serves as the summary.',
    'share',
  ),

  'relevance.scorer': knob(
    'Scorer',
    'Seed: likeness, age and marks, weighted. Logistic: how likely it is needed again.',
  ),
  'relevance.embedder.model': knob(
    'Embedder',
    'provider/model that says how alike texts are; empty: words and spelling do, without a service.',
  ),
  'relevance.embedder.url': knob('Embedder address', 'Where the embedder listens; empty is its provider.'),
  'relevance.embedder.timeoutMs': knob('Embedder wait', 'Then likeness is worked out without it.', 'ms'),
  'relevance.cutoff': knob('Cut-off', 'Chunks that score at or below are dropped.', 'share'),
  'relevance.keep': knob('Keep from', 'Chunks that score at or above stay; between is summarised.', 'share'),
  'relevance.similarityWeight': knob('Similarity weight', 'How much likeness to the present prompt counts.'),
  'relevance.similarityFloor': knob('Similarity floor', 'Less likeness than this counts as none.', 'share'),
  'relevance.recencyBonus': knob('Recency bonus', 'What a brand-new chunk gets on top.'),
  'relevance.recency': knob(
    'Recency',
    'Decay: fades with age. Literal: grows with age, as one source wrote it.',
  ),
  'relevance.recencyHours': knob(
    'Fades in',
    'After this time a third of the recency bonus is left.',
    'hours',
  ),
  'relevance.importanceBonus': knob('Importance bonus', 'What a chunk marked as important gets on top.'),
  'relevance.minChunks': knob('Least chunks', 'The newest so many chunks always stay.'),

  'coldStorage.enabled': knob('Cold storage', 'Keep what is dropped, for recovery.'),
  'coldStorage.path': knob('Folder', 'Where dropped chunks are kept.'),
  'coldStorage.days': knob('Recoverable for', 'Then a chunk expires.', 'days'),

  'pruning.keepLastMessages': knob('Newest messages kept', 'Never pruned.'),
  'pruning.keepRecentMs': knob('Recent kept', 'Younger messages are never pruned.', 'ms'),
  'pruning.alwaysKeep': knob('Always kept', 'Kinds of messages that are never pruned.'),
  'pruning.toolResultsAfterMs': knob('Tool results after', 'Older tool results may be pruned.', 'ms'),
  'pruning.summarizeFirst': knob('Summarise first', 'If the summary fails, nothing is deleted.'),
  'pruning.byAge': knob('Prune by age', 'Tool results that are old enough go.'),
  'pruning.duplicates': knob(
    'Prune repeated calls',
    'Of calls made again in the same words, the last result stays.',
  ),
  'pruning.supersededReads': knob(
    'Prune old readings',
    'What was read of a file goes once the file was read again or written anew.',
  ),
  'pruning.supersededWrites': knob(
    'Prune old writings',
    'What was written to a file goes once the file was read whole or written anew.',
  ),
  'pruning.errors': knob('Prune failed calls', 'Their arguments go; the errors stay.'),
  'pruning.errorTurns': knob('Failed calls after', 'Their arguments stay for so long.', 'turns'),
  'pruning.keepTools': knob('Tools kept', 'Nothing of these tools is pruned; * stands for any letters.'),
  'pruning.placeholder': knob('Placeholder', 'Stands where a tool result was.'),
  'pruning.cacheTtl.enabled': knob(
    'Prune when the cache expires',
    'Trim old tool results once the provider’s cache is cold.',
  ),
  'pruning.cacheTtl.ttlMs': knob('Cache lives', 'Time after which the provider’s cache is cold.', 'ms'),
  'pruning.cacheTtl.keepLastAssistants': knob(
    'Newest answers kept',
    'Tool results behind the newest so many answers stay.',
  ),
  'pruning.cacheTtl.softTrimRatio': knob(
    'Trim from',
    'Fill from which long tool results are trimmed.',
    'share',
  ),
  'pruning.cacheTtl.hardClearRatio': knob(
    'Clear from',
    'Fill from which old tool results are cleared.',
    'share',
  ),
  'pruning.cacheTtl.minPrunableChars': knob(
    'Worth clearing',
    'Nothing is cleared for less than this.',
    'chars',
  ),
  'pruning.cacheTtl.softTrimMaxChars': knob('Long is above', 'Shorter results are not trimmed.', 'chars'),
  'pruning.cacheTtl.softTrimHeadChars': knob('Head kept', 'Beginning of a trimmed result.', 'chars'),
  'pruning.cacheTtl.softTrimTailChars': knob('Tail kept', 'End of a trimmed result.', 'chars'),
  'pruning.cacheTtl.hardClear': knob('Clear as well', 'Off: long results are trimmed, none is cleared.'),
  'pruning.cacheTtl.allow': knob('Only these tools', 'Whose results may be pruned; empty is all.'),
  'pruning.cacheTtl.deny': knob('Never these tools', 'Whose results stay whatever else is said.'),

  'semantic.enabled': knob('Semantic recall', 'Bring back older parts that fit the present prompt.'),
  'semantic.maxChunks': knob('Most parts', 'So many at most.'),
  'semantic.minScore': knob('Least score', 'Parts below do not come back.', 'share'),
  'semantic.budgetShare': knob(
    'Share of bootstrap',
    'Recalled parts take at most this share of the bootstrap region.',
    'share',
  ),

  'bootstrap.files': knob('Files', 'Workspace files injected into every run, in this order.'),
  'bootstrap.maxCharsPerFile': knob('Longest file', 'Longer files are cut.', 'chars'),
  'bootstrap.maxCharsTotal': knob('All files', 'All of them together never take more.', 'chars'),
  'bootstrap.headShare': knob(
    'Head kept',
    'Share of the limit that the beginning of a cut file gets.',
    'share',
  ),
  'bootstrap.tailShare': knob('Tail kept', 'Share of the limit that the end of a cut file gets.', 'share'),
  'bootstrap.subagentFiles': knob('For sub-agents', 'The only files that sub-agents get.'),

  'promptCache.enabled': knob('Cache workspace files', 'Read them again only when they change.'),
  'promptCache.pollSeconds': knob(
    'Look again every',
    'Besides the watcher; 0 leaves it to the watcher.',
    'seconds',
  ),

  'flush.softThresholdTokens': knob(
    'Flush ahead by',
    'A flush starts this far below the compaction.',
    'tokens',
  ),
  'flush.delivery': knob(
    'Flush prompts come as',
    'In whose name the agent is asked at each flush line: “system” or “user”.',
  ),

  'logs.path': knob('Folder', 'Where the logs are written.'),
  'logs.compaction': knob('Compactions', 'Log every compaction.'),
  'logs.curation': knob('Curation', 'Log every curation.'),
  'logs.drops': knob('Drops', 'Log every dropped chunk.'),
  'logs.recovery': knob('Recoveries', 'Log every recovery.'),
}

const TITLES: { readonly [G in keyof Policy]: readonly [title: string, about: string] } = {
  lines: ['Load lines', 'The one ladder: what happens at which fill.'],
  budget: ['Regions', 'How a window is divided.'],
  reserve: ['Reserve', 'Head room that is never filled.'],
  window: ['Window', 'How large a window counts, and which are too small.'],
  history: ['History', 'How much of the conversation is sent.'],
  compaction: ['Compaction', 'How a full history is cut.'],
  summary: ['Summaries', 'Who summarises, what and how long.'],
  relevance: ['Relevance', 'What a chunk is worth.'],
  pruning: ['Pruning', 'What may be taken out, and when.'],
  coldStorage: ['Cold storage', 'Where dropped chunks wait.'],
  semantic: ['Recall', 'What comes back by itself.'],
  bootstrap: ['Bootstrap files', 'What of the workspace is sent.'],
  promptCache: ['Prompt cache', 'When workspace files are read again.'],
  flush: ['Flush', 'When memory is written.'],
  counting: ['Counting', 'How careful decisions are.'],
  ledger: ['Token ledger', 'What a live context sets aside.'],
  logs: ['Logs', 'What is written down.'],
}

/** Groups in the order of the form, each with its values. */
export const KNOB_GROUPS: readonly KnobGroup[] = (Object.keys(TITLES) as (keyof Policy)[]).map((id) => ({
  id,
  title: TITLES[id][0],
  about: TITLES[id][1],
  paths: (Object.keys(KNOBS) as KnobPath[]).filter((path) => path.startsWith(`${id}.`)),
}))

/** The words of a path, of one into the operator's own tables as well (`window.byModel.<model>`). */
export function knobWords(path: string): KnobWords {
  return (KNOBS as { readonly [path: string]: KnobWords })[path] ?? tableWords(splitPath(path))
}

function tableWords([group, table, name = '', ...rest]: readonly string[]): KnobWords {
  if (group === 'window' && table === 'byModel') {
    return knob(name, 'Window of this model.', 'tokens')
  }
  const [what, user] = rest
  const whose = what === 'dmTurns' ? 'direct chats' : what === 'groupTurns' ? 'groups' : `user ${user ?? ''}`
  return knob(`${name}: ${whose}`, 'User turns sent; empty is no limit.', 'turns')
}
