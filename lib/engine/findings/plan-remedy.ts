import { reckonedWindow } from '../../core/budget/session-load'
import type { FindingRemedy, SessionFinding, SettingLever } from '../../core/findings/finding'
import { editSetting, type ValueEdit } from '../../core/findings/remedies/edit-setting'
import type { SettingKeys } from '../../core/findings/remedies/setting-change'
import { type SettingRemedy, settingValue } from '../../core/findings/remedies/setting-change'
import { nodeAt, type ParsedSource, parseSource } from '../../core/policy/source-tree'
import type { SessionTotals } from '../../core/transcript/fold/fold-step'
import { type PolicyDocument, readOnlyMessage } from '../policy/policy-store'
import type { FoundStore, FoundTranscript } from '../read/ports'
import { loadSubjectOf } from '../read/session-subject'
import type { RemedyPorts } from './remedy-ports'

/** What a change of settings is for: a finding, or what a tuner found. */
export type SettingReason = Pick<SessionFinding, 'id' | 'kind'> & {
  readonly concerns: Pick<SessionFinding['concerns'], 'transcriptId' | 'agent' | 'model'>
}

/** A change of a runtime's settings file, or of our own for agents that embed the library. Nothing is written by it. */
export type SettingPlan = {
  readonly finding: SettingReason
  /** What is moved; null: several values, as a tuner found them. */
  readonly lever: SettingLever | null
  readonly store: FoundStore
  readonly file: string
  /** The folder that the file must stay in. */
  readonly folder: string
  /** It is our own settings file, whose folder may still have to be made. */
  readonly isOwn: boolean
  /** Of the bytes that the change was made from; null: there is no file yet. */
  readonly hash: string | null
  readonly before: string
  readonly text: string
  /** What differs between the two. */
  readonly edits: readonly ValueEdit[]
  /** How the value came about. */
  readonly why: string
  /** What is assumed of the runtime, in sentences without full stops. */
  readonly assumed: readonly string[]
}

type ActionRemedy = Extract<FindingRemedy, { by: 'action' }>
type ActionName = ActionRemedy['action']

/** What can be done about a finding from here. */
export type RemedyPlan =
  /** `choices`: keys of other settings that would cure it as well. */
  | { readonly kind: 'setting'; readonly plan: SettingPlan; readonly choices: readonly string[] }
  /** One of our own actions, or a command: what does it. `others`: settings that would help too, or why they are not offered. */
  | {
      readonly kind: 'command'
      /** null: it is none of ours. */
      readonly action: ActionName | null
      readonly argv: readonly string[]
      readonly words: string
      readonly others: readonly string[]
    }
  /** It cannot be cured from here: why, and what the operator can do. */
  | { readonly kind: 'none'; readonly why: readonly string[] }

/** A finding, the session that it is in, and what was read of it. */
export type ExaminedFinding = {
  readonly finding: SessionFinding
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  readonly totals: SessionTotals
}

/**
 * The first remedy of a finding that can be carried out, settings before actions; but an action that the finding names
 * before all is first, since a session that cannot go on is helped by no setting.
 * @param wanted the key of a setting: of several only this one; null: the first
 */
export function planRemedy(
  ports: RemedyPorts,
  examined: ExaminedFinding,
  wanted: string | null = null,
): RemedyPlan {
  const { finding, transcript } = examined
  const refused: string[] = []
  const plans: { readonly key: string; readonly plan: SettingPlan }[] = []
  for (const remedy of finding.remedies) {
    if (remedy.by !== 'setting') continue
    const { key } = remedy
    const planned = planSetting(ports, examined, remedy)
    if (typeof planned === 'string') refused.push(`${key}: ${planned}`)
    else plans.push({ key, plan: planned })
  }
  const [first] = finding.remedies
  if (wanted === null && first?.by === 'action') {
    const ways = plans.map(({ key }) => `Another way: plimsoll findings apply ${finding.id} --key ${key}`)
    const done = actionPlan(first, transcript, [...refused, ...ways])
    if (done !== null) return done
  }
  const chosen = plans.find(({ key }) => wanted === null || key === wanted)
  if (chosen !== undefined) {
    const choices = plans.filter((one) => one !== chosen).map(({ key }) => key)
    return { kind: 'setting', plan: chosen.plan, choices }
  }
  if (wanted !== null) {
    const keys = plans.map(({ key }) => key)
    const ways = keys.length === 0 ? [] : [`Settings that would: ${keys.join(', ')}.`]
    return { kind: 'none', why: [`${wanted} is no setting that would cure it.`, ...refused, ...ways] }
  }
  for (const remedy of finding.remedies) {
    if (remedy.by === 'command')
      return { kind: 'command', action: null, argv: remedy.argv, words: remedy.words, others: refused }
    const done = remedy.by === 'action' ? actionPlan(remedy, transcript, refused) : null
    if (done !== null) return done
  }
  const advice = finding.remedies.flatMap((remedy) => (remedy.by === 'advice' ? [remedy.words] : []))
  return { kind: 'none', why: [...refused, ...advice] }
}

/** One of our own actions on a session; null: it has no command line. @param others what else there is, or why not */
function actionPlan(
  { action, words }: ActionRemedy,
  { sessionId }: FoundTranscript,
  others: readonly string[],
): RemedyPlan | null {
  const argv = ACTIONS[action]?.map((part) => (part === SESSION ? sessionId : part))
  return argv === undefined ? null : { kind: 'command', action, argv, words, others }
}

const SESSION = '{session}'

/** Our own actions as command lines. */
const ACTIONS: { readonly [action: string]: readonly string[] } = {
  repair: ['plimsoll', 'repair', SESSION, '--apply'],
  compact: ['plimsoll', 'compact', SESSION, '--now'],
  prune: ['plimsoll', 'prune', SESSION],
  recover: ['plimsoll', 'drops', '--session', SESSION],
  maintain: ['plimsoll', 'maintain'],
  archive: ['plimsoll', 'archive', 'list'],
}

function planSetting(
  ports: RemedyPorts,
  { finding, store, transcript, totals }: ExaminedFinding,
  remedy: SettingRemedy,
): SettingPlan | string {
  const { provider, model } = finding.concerns
  const subject = { ...loadSubjectOf({ store, transcript, totals }), provider, model }
  const policy = ports.rules.loads.policyOf(subject)
  // Its lines are in the window that the runtime believes in, whatever its provider cuts prompts to.
  const window = reckonedWindow(policy.policy, model, totals.window)
  const value = settingValue(remedy, finding, {
    store: ports.rules.runtimeOf(store.id),
    policy,
    window: window.source === 'default' ? null : window.tokens,
    provider,
    model,
  })
  if (!value.can) return value.why
  const isArchive = remedy.lever === 'archive'
  const home = isArchive ? ports.own.home : ports.homeOf(store)
  if (home === null)
    return isArchive
      ? 'The settings file of Plimsoll lies in the working folder, which others may write to; change it yourself.'
      : 'The transcripts lie beside no settings file of their runtime, so there is none to change.'
  const documents = isArchive ? ports.own.documents : ports.documentsOf(store)
  const document = holderOf(documents, home.path, value.keys)
  const obstacle = document === null ? null : obstacleOf(ports, document, keyOf(value.keys))
  if (obstacle !== null) return obstacle
  const file = document?.path ?? home.path
  const before = document?.text ?? ''
  const edit = editSetting(parseSource(before, file), value.keys, value.value)
  if (typeof edit === 'string') return edit
  const { text, ...values } = edit
  if (text === before) return `${file} holds that value already.`
  if (remedy.lever === 'retention' && typeof values.from === 'number' && values.from >= Number(value.value))
    return `${file} says ${values.from} days already; how much longer they are to stay is yours to say.`
  return {
    ...{ finding, store, file, before, text, edits: [values], why: value.why },
    lever: remedy.lever,
    isOwn: isArchive || ports.rules.runtimeOf(store.id).owner === 'library',
    folder: document === null || document.path === home.path ? home.folder : folderOf(document.path),
    hash: document === null || !document.exists ? null : document.hash,
    // Our own file says what it says, whatever the runtime is.
    assumed: isArchive ? [] : policy.runtime.assumed,
  }
}

/** Why a file is not changed from here; null: it can be. @param key what it would be changed in, with dots */
export function obstacleOf(
  { isManaged }: Pick<RemedyPorts, 'isManaged'>,
  document: PolicyDocument,
  key: string,
): string | null {
  if (isManaged(document.path))
    return `${document.path} sets it, which an administrator decides; it is not changed from here.`
  if (!document.writable) return `${readOnlyMessage(document.path)}.`
  return includedPlace(document, key)
}

function keyOf(keys: SettingKeys): string {
  return keys.at === 'path' ? keys.path.join('.') : keys.key
}

/** The strongest file that has the key, else the runtime's usual one; null: that is still to be made. */
function holderOf(
  documents: readonly PolicyDocument[],
  usual: string,
  keys: SettingKeys,
): PolicyDocument | null {
  return (
    documents.findLast((document) => holds(parseSource(document.text, document.path), keys)) ??
    documents.find(({ path }) => path === usual) ??
    null
  )
}

function holds({ root }: ParsedSource, keys: SettingKeys): boolean {
  const path = keys.at === 'path' ? keys.path : ['models', 'providers', keys.provider]
  return nodeAt(root, path) !== null
}

/** Where the value is said by a file that this one includes: that one is not ours to choose. null: it is not. */
function includedPlace({ path, file, includes }: PolicyDocument, key: string): string | null {
  if (includes.length === 0) return null
  const place = Object.values(file.places).find((one) => one.key === key && one.file !== path)
  return place === undefined
    ? null
    : `${place.file}, line ${place.line}, says it, which ${path} includes; change it there.`
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')))
}
