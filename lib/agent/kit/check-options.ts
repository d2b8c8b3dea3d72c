import { FORM_NAMES } from '../../core/forms/form-name'
import { faultOf } from '../../core/policy/fault-of'
import { knobNodeAt } from '../../core/policy/knobs/knob-at'
import { POLICY_KNOBS } from '../../core/policy/knobs/policy-knobs'
import { joinPath } from '../../core/policy/path'
import { isPreset, PRESET_NAMES } from '../../core/policy/presets'
import { isObject } from '../../core/transcript/json'
import { nearestName } from '../../core/words/nearest-name'
import type { ContextOptions } from './context-options'
import { ContextOptionError, shownValue } from './option-error'

type Expected = { readonly is: (value: unknown) => boolean; readonly what: string }

const TEXT: Expected = {
  is: (value) => typeof value === 'string' && value.trim() !== '',
  what: 'a text that is not empty',
}
const FUNCTION: Expected = { is: (value) => typeof value === 'function', what: 'a function' }

/** An object with these methods, as an option takes it. */
function having(methods: readonly string[], what: string): Expected {
  const is = (value: unknown) =>
    isObject(value) &&
    methods.every((name) => typeof (value as { [n: string]: unknown })[name] === 'function')
  return { is, what: `${what} (an object with ${methods.join(', ')})` }
}

/** Timers take no more than 2³¹ ms, and some calls have ten times the limit. */
const MOST_MS = 200_000_000

/** What each option has to be. */
const EXPECTED: { readonly [N in keyof Required<ContextOptions>]: Expected } = {
  model: { ...TEXT, what: "the name of the model that answers, such as 'claude-sonnet-4-5'" },
  window: {
    is: (value) => typeof value === 'number' && Number.isInteger(value) && value > 0,
    what: "the model's context window in tokens, a whole number above 0 such as 200000",
  },
  provider: TEXT,
  form: {
    is: (value) => (FORM_NAMES as readonly unknown[]).includes(value),
    what: `the name of a form of messages (${FORM_NAMES.join(', ')})`,
  },
  policy: {
    is: (value) => isObject(value) || (typeof value === 'string' && isPreset(value)),
    what: `a preset (${PRESET_NAMES.join(', ')}) or a part of a policy`,
  },
  session: TEXT,
  cold: having(['put', 'list', 'extend', 'remove'], 'a cold store'),
  logs: having(['add', 'addAll'], 'a log'),
  memory: having(['load', 'save', 'checkpoints', 'addCheckpoint'], 'a memory of an agent'),
  sessions: having(['open', 'append', 'note'], 'a store of sessions'),
  workspace: having(['snapshot'], 'a prompt cache'),
  tasks: having(['load', 'save'], 'a store of tasks'),
  facts: having(['find', 'put', 'remove'], 'a store of facts'),
  search: having(['refresh', 'search'], 'a search of memory'),
  summary: {
    is: (value) => typeof value === 'function' || (isObject(value) && typeof value.ask === 'function'),
    what: 'a function that asks a model and answers its text, or a SummaryChain',
  },
  countTokens: FUNCTION,
  onFlush: FUNCTION,
  hooks: having(['run'], 'hooks'),
  secrets: having(['mask', 'isSecret'], 'rules for secrets'),
  timeLimit: {
    is: (value) => typeof value === 'number' && value > 0 && value <= MOST_MS,
    what: `a number of milliseconds above 0 and up to ${MOST_MS}`,
  },
  onWarning: FUNCTION,
  now: FUNCTION,
}

const NAMES = Object.keys(EXPECTED)

/** Options whose value is one of a few names. */
const NAMED: { readonly [option: string]: readonly string[] } = { policy: PRESET_NAMES, form: FORM_NAMES }

/** Options that take a folder in the package for Node, and only there. */
const FOLDERS: ReadonlySet<string> = new Set([
  ...['cold', 'logs', 'memory'],
  ...['sessions', 'workspace', 'tasks'],
])

/**
 * Refuses what cannot be used, before anything is made of it.
 * @param options as they were given; JavaScript checks no types
 * @throws ContextOptionError that names the option, its value and what to do
 */
export function checkOptions(options: unknown): asserts options is ContextOptions {
  if (!isObject(options))
    throw new ContextOptionError(
      'options',
      `createContext was given ${shownValue(options)}: give it an object with at least \`model\`, such as { model: 'claude-sonnet-4-5' }.`,
    )
  for (const name of Object.keys(options)) if (!NAMES.includes(name)) throw unknownName('', name, NAMES)
  for (const [name, { is, what }] of Object.entries(EXPECTED)) {
    const value = options[name]
    if (value === undefined && name !== 'model') continue
    if (is(value)) continue
    if (typeof value === 'string' && FOLDERS.has(name))
      throw new ContextOptionError(
        name,
        `\`${name}\` is the folder ${shownValue(value)}: folders need Node, so import createContext from the package itself and not from its \`core\`, or give ${what}.`,
      )
    const hint = typeof value === 'string' ? meant(value, NAMED[name] ?? []) : ''
    throw new ContextOptionError(
      name,
      `\`${name}\` is ${shownValue(value)}: it has to be ${what}${name === 'model' ? '' : ', or left out'}.${hint}`,
    )
  }
  if (isObject(options.policy)) checkPolicy(options.policy, [])
}

/** Each value of a policy is one that its knob allows, and each name that of a knob. */
function checkPolicy(patch: { readonly [key: string]: unknown }, path: readonly string[]): void {
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const keys = [...path, key]
    const at = joinPath(keys)
    const node = knobNodeAt(at)
    if (node === null) throw unknownName('policy', at, namesAt(path), key)
    if (node.node === 'knob') {
      const fault = faultOf(at, value)
      if (fault !== null) throw new ContextOptionError(`policy.${at}`, `\`policy.${at}\`: ${fault}.`)
    } else if (isObject(value)) checkPolicy(value, keys)
    else
      throw new ContextOptionError(
        `policy.${at}`,
        `\`policy.${at}\` is ${shownValue(value)}: it is a group of settings (${namesAt(keys).join(', ')}).`,
      )
  }
}

function namesAt(path: readonly string[]): string[] {
  const node = path.length === 0 ? POLICY_KNOBS : knobNodeAt(joinPath(path))
  return node?.node === 'group' ? Object.keys(node.members) : []
}

function unknownName(
  holder: string,
  name: string,
  known: readonly string[],
  last = name,
): ContextOptionError {
  const option = holder === '' ? name : `${holder}.${name}`
  return new ContextOptionError(
    option,
    `There is no option \`${option}\`.${meant(last, known)} Known are ${known.join(', ')}.`,
  )
}

function meant(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  return near === null ? '' : ` Did you mean \`${near}\`?`
}
