import { FINDING_FACTS, type FindingClass, type FindingFacts, type Risk } from '../finding'

/** Whose transcript is checked, where it is neither pi's nor OpenClaw's. */
export type ClientForm = 'claude-code' | 'codex'

/** What damage means to a client, where that is not what it means to pi and OpenClaw (lib/docs/claude-code-and-codex.md#damage). */
const CLIENT_FACTS: { readonly [C in FindingClass]?: Partial<FindingFacts> } = {
  'unparseable-line': {
    risk: 'medium',
    why: 'The client passes over the line. What followed it has lost its place in the conversation.',
  },
  'torn-part': { risk: 'medium' },
  'stray-bytes': { risk: 'medium' },
  'joined-lines': { risk: 'medium' },
  'not-an-entry': {
    risk: 'low',
    why: 'The line is JSON, but no entry of a transcript. The client passes over it.',
  },
  'no-content': { risk: 'medium', why: 'The API refuses a message without content.' },
  'blank-user': { why: 'The API refuses texts that are blank.' },
  'broken-block': {
    risk: 'medium',
    why: 'A part of the message is no block of content; the API refuses it.',
  },
  'incomplete-call': {
    why: 'A tool call without id, name or input; the API refuses the history that it is in.',
  },
  'duplicate-entry': {
    risk: 'low',
    why: 'The client takes them for one; whoever counts lines counts what they used twice.',
  },
  'broken-parent': {
    why: 'The entry names one that is not in the file. When the session is resumed, what was before it may be missing.',
  },
  cycle: {
    why: 'The client ends the conversation where the circle closes: what was before it is missing.',
  },
  'missing-result': {
    risk: 'low',
    why: 'The API refuses a tool call that was never answered. The client leaves it out or puts a result in each time it sends.',
  },
  'orphan-result': {
    risk: 'low',
    why: 'The API refuses a result that answers no call. The client leaves it out each time it sends.',
  },
  'duplicate-result': {
    risk: 'low',
    why: 'The API refuses two results of one call. The client leaves one out each time it sends.',
  },
}

/** What a class of damage is, and what comes of it. @param form left out: for pi and OpenClaw */
export function findingFacts(found: FindingClass, form: ClientForm | undefined): FindingFacts {
  return form === undefined ? FINDING_FACTS[found] : { ...FINDING_FACTS[found], ...CLIENT_FACTS[found] }
}

/** What comes of a class of damage for a client. */
export function clientRisk(form: ClientForm, found: FindingClass): Risk {
  return findingFacts(found, form).risk
}
