/** What can be wrong with a transcript and is put right. */
const FINDING_CLASSES = [
  'bad-header',
  'late-header',
  'second-header',
  'unparseable-line',
  'torn-tail',
  'stray-bytes',
  'joined-lines',
  'torn-part',
  'not-an-entry',
  'no-final-newline',
  'too-deep',
  'no-role',
  'blank-user',
  'no-content',
  'broken-block',
  'broken-image',
  'empty-error-turn',
  'incomplete-call',
  'missing-id',
  'duplicate-entry',
  'duplicate-id',
  'broken-parent',
  'cycle',
  'late-parent',
  'dangling-leaf',
  'dangling-first-kept',
  'missing-result',
  'orphan-result',
  'duplicate-result',
  'displaced-result',
  'unnamed-result',
  'split-pair',
] as const

export type FindingClass = (typeof FINDING_CLASSES)[number]

/** A note: nothing needs to be done about it, or nothing can be. */
const NOTE_CLASSES = [
  'foreign-format',
  'empty-file',
  'carriage-returns',
  'lone-surrogate',
  'failed-turn',
  'unknown-type',
  'long-line',
  'unusable-checkpoint',
] as const

export type NoteClass = (typeof NOTE_CLASSES)[number]

/**
 * What the damage does to the session when it is left alone. `high`: the runtime fails, or loses history or the whole
 * file; `medium`: a part of the history is not seen, or providers refuse it; `low`: runtimes put it right each time.
 */
export type Risk = 'high' | 'medium' | 'low'

/** One thing that is wrong. */
export type Finding = {
  readonly class: FindingClass
  /** 1-based line of the file. */
  readonly line: number
  readonly entryId: string | null
  readonly risk: Risk
  /** What repair does about it; null when nothing can be done. */
  readonly fix: string | null
}

/** One note, risk none. Repeated ones are counted in one note. */
export type Note = {
  readonly class: NoteClass
  /** The first line of its kind. */
  readonly line: number
  readonly count: number
  readonly text: string
}

/** For a reader: what a class of damage is, and what comes of it. */
export type FindingFacts = { readonly risk: Risk; readonly title: string; readonly why: string }

/** For the reader: what each class is, and what comes of it. */
export const FINDING_FACTS: { readonly [C in FindingClass]: FindingFacts } = {
  'bad-header': {
    risk: 'high',
    title: 'Bad header',
    why: 'The first entry is not a session header with an id. OpenClaw refuses the file, pi empties it and starts over.',
  },
  'late-header': {
    risk: 'high',
    title: 'Header not first',
    why: 'The session header is behind other entries: OpenClaw refuses the file, pi empties it and starts over.',
  },
  'second-header': {
    risk: 'low',
    title: 'Second header',
    why: 'A session has one header; runtimes pass over the others.',
  },
  'unparseable-line': {
    risk: 'high',
    title: 'Unparseable line',
    why: 'OpenClaw’s import into SQLite keeps only what is before the first such line.',
  },
  'torn-tail': {
    risk: 'medium',
    title: 'Torn last line',
    why: 'The last line ends in its middle: a write was interrupted. The next entry would be glued to it and lost too.',
  },
  'stray-bytes': {
    risk: 'high',
    title: 'Stray bytes around an entry',
    why: 'Zero bytes or a byte order mark are beside an entry, which is lost to whoever parses the line.',
  },
  'joined-lines': {
    risk: 'high',
    title: 'Lines grown together',
    why: 'Several entries are on one line: whoever parses the line loses all of them.',
  },
  'torn-part': {
    risk: 'high',
    title: 'Torn part of a line',
    why: 'A part of a line is no whole entry, and entries grew onto it. What it says cannot be put together again.',
  },
  'not-an-entry': {
    risk: 'high',
    title: 'Not an entry',
    why: 'The line is JSON, but no entry of a transcript. Some such lines end a runtime with a fault, others hide the whole history.',
  },
  'no-final-newline': {
    risk: 'medium',
    title: 'No newline at the end',
    why: 'The next entry would be written onto the last line, and both would be lost.',
  },
  'too-deep': {
    risk: 'high',
    title: 'Nested too deeply',
    why: 'JSON nested this deeply cannot be written again: requests and rewrites of the file fail.',
  },
  'no-role': {
    risk: 'high',
    title: 'Message without a role',
    why: 'It cannot be sent to any provider; runtimes fail on it.',
  },
  'blank-user': {
    risk: 'medium',
    title: 'Blank user message',
    why: 'Providers refuse messages without text.',
  },
  'no-content': {
    risk: 'high',
    title: 'Message without content',
    why: 'Runtimes take it for granted that there is some, and fail.',
  },
  'broken-block': {
    risk: 'high',
    title: 'Broken content block',
    why: 'A part of the message is not a block of content; runtimes fail on it.',
  },
  'broken-image': {
    risk: 'medium',
    title: 'Broken image',
    why: 'Providers refuse a request with an image that cannot be decoded.',
  },
  'empty-error-turn': {
    risk: 'medium',
    title: 'Empty failed answer',
    why: 'An answer that failed before its first word; providers refuse messages without content.',
  },
  'incomplete-call': {
    risk: 'medium',
    title: 'Incomplete tool call',
    why: 'A tool call without id, name or input, or with the id of another in the same message; providers refuse it.',
  },
  'missing-id': {
    risk: 'medium',
    title: 'Entry without an id',
    why: 'Nothing can follow it: what does is cut off from the history.',
  },
  'duplicate-entry': {
    risk: 'medium',
    title: 'Entry written twice',
    why: 'The second one becomes the end of the conversation, or its text is sent twice.',
  },
  'duplicate-id': {
    risk: 'medium',
    title: 'Id used twice',
    why: 'Two entries have the same id: what follows the first is attached to the second.',
  },
  'broken-parent': {
    risk: 'medium',
    title: 'Parent missing',
    why: 'The entry names a parent that is not in the file: all history before it is out of the context.',
  },
  cycle: {
    risk: 'high',
    title: 'Parents in a circle',
    why: 'pi walks it until its memory is used up; OpenClaw sees no history at all.',
  },
  'late-parent': {
    risk: 'medium',
    title: 'Entry before its parent',
    why: 'Lines are out of order, so that the conversation may end at the wrong entry; newer runtimes attach it elsewhere.',
  },
  'dangling-leaf': {
    risk: 'low',
    title: 'Jump to nowhere',
    why: 'The conversation was to go on from an entry that is not in the file.',
  },
  'dangling-first-kept': {
    risk: 'medium',
    title: 'Compaction keeps nothing',
    why: 'The first entry that a compaction keeps is not in the file, so nothing before it is kept.',
  },
  'missing-result': {
    risk: 'medium',
    title: 'Tool call without a result',
    why: 'Providers refuse a history in which a tool call was never answered.',
  },
  'orphan-result': {
    risk: 'medium',
    title: 'Tool result without its call',
    why: 'Providers refuse a result that answers no call.',
  },
  'duplicate-result': {
    risk: 'medium',
    title: 'Second result of one call',
    why: 'Providers refuse two results of one call.',
  },
  'displaced-result': {
    risk: 'medium',
    title: 'Tool result in the wrong place',
    why: 'Providers demand the results right behind the message that made the calls.',
  },
  'unnamed-result': {
    risk: 'medium',
    title: 'Tool result without a call id',
    why: 'Providers refuse a result that does not say which call it answers.',
  },
  'split-pair': {
    risk: 'medium',
    title: 'Compaction between a call and its result',
    why: 'What is kept begins with a result whose call is gone; providers refuse that.',
  },
}
