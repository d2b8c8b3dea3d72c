import { isObject } from '../transcript/json'
import { MODEL_FORM } from './ai-sdk'
import { UI_FORM } from './ai-sdk-ui'
import { ANTHROPIC_FORM } from './anthropic'
import { FormError } from './form-error'
import { FORM_NAMES, FORM_TITLES, type FormName } from './form-name'
import type { FormRules, Misfit } from './form-rules'
import { either, misfit, shown } from './misfit'
import { CHAT_FORM } from './openai-chat'
import { RESPONSES_FORM } from './openai-responses'
import { PI_FORM } from './pi'
import { PLAIN_FORM } from './plain'

/** In the order in which a form is named where several fit. */
const FORMS: { readonly [F in FormName]: FormRules } = {
  anthropic: ANTHROPIC_FORM,
  'openai-chat': CHAT_FORM,
  'openai-responses': RESPONSES_FORM,
  'ai-sdk': MODEL_FORM,
  'ai-sdk-ui': UI_FORM,
  pi: PI_FORM,
  plain: PLAIN_FORM,
}

/**
 * The form of a conversation. Every message is looked at; the form is the one that all of them fit.
 *
 * Messages of nothing but text fit several forms: they have the form of the others, and where there are no others, the
 * conversation is `plain`. Messages that fit several forms with more than text in them (thinking without a signature,
 * a refusal) are read in the same way in all of those; the first in the order of `FORM_NAMES` is named.
 * @param messages of a conversation, oldest first; an empty list is `plain`
 * @param named the form that the caller says they have; then each must fit it
 * @throws FormError a message fits no form, or not the one that was named, or not that of the messages before it
 *
 * @example
 * ```ts
 * import { formOf } from 'plimsoll-agent'
 *
 * formOf([{ role: 'assistant', content: null, tool_calls: [] }])
 * ```
 */
export function formOf(messages: readonly unknown[], named?: FormName): FormName {
  if (named !== undefined) return checkNamed(messages, named)
  let candidates: readonly FormName[] = FORM_NAMES
  const excluded = new Map<FormName, Place>()
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]
    const before: readonly FormName[] = candidates
    for (let at = 0; at < before.length; at += 1) {
      const form = before[at] as FormName
      const found = fits(form, message)
      if (found === null) continue
      excluded.set(form, { index, found })
      candidates = without(candidates, form)
    }
    if (candidates.length === 0) throw refused(index, message, before, excluded)
  }
  return candidates.includes('plain') ? 'plain' : (candidates[0] ?? 'plain')
}

/** By itself: a function within the loop would make an object for each message. */
function without(forms: readonly FormName[], gone: FormName): readonly FormName[] {
  return forms.filter((form) => form !== gone)
}

type Place = { readonly index: number; readonly found: Misfit }

function fits(form: FormName, message: unknown): Misfit | null {
  if (isObject(message)) return FORMS[form].misfit(message)
  return { field: '', found: shown(message), expected: 'an object' }
}

function checkNamed(messages: readonly unknown[], named: FormName): FormName {
  if (!Object.hasOwn(FORMS, named)) {
    const expected = either(FORM_NAMES)
    throw new FormError(`${shown(named)} is no form of messages: expected ${expected}.`, {
      index: null,
      field: '',
      expected,
    })
  }
  messages.forEach((message, index) => {
    const found = fits(named, message)
    if (found === null) return
    const other = FORM_NAMES.filter((form) => fits(form, message) === null)
    const hint =
      other.length === 0
        ? 'Correct that message.'
        : `It fits ${titles(other)}: name that form, or none, or convert the message.`
    throw errorAt(index, found, `, in the form ${FORM_TITLES[named]}, which was named. ${hint}`)
  })
  return named
}

/** What to say of a message that fits none of the forms that those before it left. */
function refused(
  index: number,
  message: unknown,
  before: readonly FormName[],
  excluded: ReadonlyMap<FormName, Place>,
): FormError {
  const { found, forms } = likeliest(before, excluded)
  const other = FORM_NAMES.filter((form) => fits(form, message) === null)
  const [first] = other
  const earlier = first === undefined ? undefined : excluded.get(first)
  if (earlier === undefined)
    return errorAt(
      index,
      found,
      // Where many forms are possible, what is expected names them.
      `${found.expected.includes(titles(forms)) ? '' : `, in ${titles(forms)}`}. Correct or leave out what no form has; a new block of a provider needs a newer version.`,
    )
  const place = `messages[${earlier.index}]${dotted(earlier.found.field)}`
  return errorAt(
    index,
    found,
    `, in ${titles(forms)}, the form of the messages before it (${place} is ${earlier.found.found}). ` +
      `This one fits ${titles(other)}: a conversation has one form, so convert one or the other.`,
  )
}

/**
 * What most of the forms that were left say of a message: those that it looks like one of, if there are such, without
 * plain texts, which have least; of these, those that know the type of the block.
 */
function likeliest(
  before: readonly FormName[],
  excluded: ReadonlyMap<FormName, Place>,
): { readonly found: Misfit; readonly forms: readonly FormName[] } {
  const reasons = before.flatMap((form) => {
    const found = excluded.get(form)?.found
    return found === undefined ? [] : [{ form, found }]
  })
  const own = reasons.filter(({ form, found }) => found.isOther === undefined && form !== 'plain')
  const known = own.filter((one) => isWithin(one.found.field, own))
  const all = known.length > 0 ? known : own.length > 0 ? own : reasons
  const alike = (field: string) => all.filter((one) => one.found.field === field)
  const most = Math.max(0, ...all.map(({ found }) => alike(found.field).length))
  const chosen = all.find(({ found }) => alike(found.field).length === most)
  if (chosen === undefined) return { found: misfit('', undefined, 'a message'), forms: before }
  const same = alike(chosen.found.field)
  const forms = same.map(({ form }) => form)
  return {
    found: {
      ...chosen.found,
      expected: together(
        same.map((one) => one.found.expected),
        forms,
      ),
    },
    forms,
  }
}

/** Whether a form knows a block that others do not, so that it is wrong in what it holds and not in its type. */
function isWithin(field: string, all: readonly { readonly found: Misfit }[]): boolean {
  return all.some(({ found: { field: other } }) => {
    const isType = other === 'type' || other.endsWith('.type')
    return isType && field !== other && field.startsWith(other.slice(0, -'type'.length))
  })
}

/** More names than this say less than the forms that have them. */
const MAX_NAMES = 30

/** What any of the forms has in that place. */
function together(expected: readonly Misfit['expected'][], forms: readonly FormName[]): Misfit['expected'] {
  const [first] = expected
  if (expected.length === 1 && first !== undefined) return first
  const names = new Set(expected.flat())
  return names.size > MAX_NAMES ? `one of ${titles(forms)}` : [...names]
}

function errorAt(index: number, misfitting: Misfit, where: string): FormError {
  const { field, found } = misfitting
  const expected = typeof misfitting.expected === 'string' ? misfitting.expected : either(misfitting.expected)
  const text = `messages[${index}]${dotted(field)} is ${found}; expected ${expected}${where}`
  return new FormError(text, { index, field, expected })
}

function dotted(field: string): string {
  return field === '' || field.startsWith('[') ? field : `.${field}`
}

function titles(forms: readonly FormName[]): string {
  return either(forms.map((form) => FORM_TITLES[form]))
}
