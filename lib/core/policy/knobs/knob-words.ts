import { joinPath, splitPath } from '../path'
import type { KnobShape, KnobUnit, NumberShape } from './knob'
import { knobAt, knobNodeAt } from './knob-at'

/** What a value is called, what it decides, and what it is counted in. */
export type KnobWords = { readonly label: string; readonly about: string; readonly unit: KnobUnit }

/** The words of a path, of one into the operator's own tables as well (`window.byModel.<model>`). */
export function knobWords(path: string): KnobWords {
  const knob = knobAt(path)
  if (knob === null) return { label: path, about: '', unit: 'text' }
  const names = namesIn(path)
  const [first = '', ...rest] = knob.label.split('*')
  const label = rest.reduce((text, part, i) => `${text}${names[i] ?? ''}${part}`, first)
  return { label, about: knob.about, unit: knob.shape.unit }
}

/** The keys of a path that the operator chose. */
function namesIn(path: string): string[] {
  const keys = splitPath(path)
  return keys.filter((_key, i) => knobNodeAt(joinPath(keys.slice(0, i)))?.node === 'table')
}

/** What may be at a path, in words: "a number from 0 to 1". */
export function allowedAt(path: string): string {
  const node = knobNodeAt(path)
  if (node === null) return 'nothing'
  return node.node === 'knob' ? allowed(node.shape) : 'a group of settings'
}

function allowed(shape: KnobShape): string {
  switch (shape.kind) {
    case 'limit':
      return `${allowed(shape.of)}, or null`
    case 'switch':
      return 'true or false'
    case 'choice':
      return `one of ${Object.keys(shape.options).join(', ')}`
    case 'list':
      return `a list, each ${allowed(shape.of)}`
    case 'text':
      return 'a text'
    case 'number':
      return allowedNumber(shape)
  }
}

function allowedNumber({ whole, from, above, to }: NumberShape): string {
  const what = whole ? 'a whole number' : 'a number'
  if (to !== null) return `${what} from ${from} to ${to}`
  return above ? `${what} above ${from}` : `${what} of at least ${from}`
}
