import type { KnobUnit } from '../../core/policy/knobs/knob'
import { knobAt, knobPaths } from '../../core/policy/knobs/knob-at'
import { allowedAt, knobWords } from '../../core/policy/knobs/knob-words'
import { optionsOf } from '../policy/policy-field'
import { FORM_SECTIONS } from '../policy/policy-knobs'
import { readableValue, valueText } from '../policy/policy-values'

/** A value of the policy, as the help lists it. */
export type HelpKnob = {
  /** Key in a settings file; `*` matches a name that the operator chooses. */
  readonly path: string
  readonly label: string
  readonly about: string
  /** The default as a file has it, and as it reads: `10000 (10 s)`. Null: there is none until it is said. */
  readonly initial: string | null
  readonly allowed: string
  readonly options: readonly { readonly value: string; readonly about: string }[]
}

/** Every value of a policy, by section, in the order of the form. */
export function helpKnobs(): readonly {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly knobs: readonly HelpKnob[]
}[] {
  return FORM_SECTIONS.map(({ id, title, about }) => ({
    id,
    title,
    about,
    knobs: knobPaths(id).flatMap((path) => {
      const knob = knobAt(path)
      if (knob === null) return []
      const words = knobWords(path)
      return {
        path,
        label: words.label,
        about: words.about,
        initial: path.includes('*') ? null : initialText(knob.initial, words.unit),
        allowed: allowedAt(path),
        options: optionsOf(knob.shape),
      }
    }),
  }))
}

function initialText(value: unknown, unit: KnobUnit): string {
  const text = valueText(value)
  const reads = readableValue(value, unit)
  return text === reads ? text : `${text} (${reads})`
}
