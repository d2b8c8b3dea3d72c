import { knobNodeAt } from '../../core/policy/knobs/knob-at'
import { joinPath } from '../../core/policy/path'
import { FOREIGN_FORMATS } from '../../core/policy/read-policy'

/** Tables whose keys the operator chose and may hold dots. */
const TABLES = ['window.byModel.'] as const

/**
 * The value of the policy that a key of a configuration file is about; null when it is about none. Keys are dotted as
 * in problems and places of a reading; keys in `overrides` are about a narrower policy and give null.
 */
export function policyPathOfKey(format: string, key: string): string | null {
  if (format === 'plimsoll') return key.startsWith('policy.') ? ownPath(key.slice('policy.'.length)) : null
  for (const foreign of FOREIGN_FORMATS) {
    for (const rule of foreign.rules) {
      if (rule.to === null) continue
      const wild = fitKey(rule.from, key, foreign.ignoreCase === true)
      if (wild !== null) return joinPath(fillPattern(rule.to, wild))
    }
  }
  return null
}

function ownPath(rest: string): string | null {
  const table = TABLES.find((prefix) => rest.startsWith(prefix))
  const path =
    table === undefined ? rest : joinPath([...table.split('.').filter(Boolean), rest.slice(table.length)])
  return knobNodeAt(path) === null ? null : path
}

/** What is where the pattern has `*`; null when the key does not fit. */
function fitKey(pattern: string, key: string, ignoreCase: boolean): string[] | null {
  const parts = pattern.split('.')
  const keys = key.split('.')
  if (parts.length !== keys.length) return null
  const wild: string[] = []
  for (const [i, part] of parts.entries()) {
    const own = keys[i] ?? ''
    if (part === '*') wild.push(own)
    else if (ignoreCase ? part.toLowerCase() !== own.toLowerCase() : part !== own) return null
  }
  return wild
}

function fillPattern(pattern: string, wild: readonly string[]): string[] {
  let next = 0
  return pattern.split('.').map((part) => (part === '*' ? (wild[next++] ?? '') : part))
}
