import type { BlockKind } from '../transcript/blocks'
import type { JsonObject } from '../transcript/json'

/** Why a message is none of a form: where, what is there, and what the form has there. */
export type Misfit = {
  readonly field: string
  readonly found: string
  /** What the form has there: a sentence, or the names that it knows. */
  readonly expected: string | readonly string[]
  /** The message looks like one of another form, rather than like a wrong one of this. */
  readonly isOther?: true
}

/** null: the message is one of the form. */
type FormCheck = (message: JsonObject) => Misfit | null

/** The blocks of a form by their `type`, and what each is. */
export type BlockTable = { readonly [type: string]: BlockKind }

/** What a form has, and the check whether a message is one of it. */
export type FormRules = {
  readonly roles: readonly string[]
  /** What contents, calls and items consist of, together. */
  readonly blocks: BlockTable
  /** States of a part that holds a call and, once there is one, its result. */
  readonly states?: { readonly [state: string]: 'open' | 'answered' }
  readonly misfit: FormCheck
}

/** Looks at one block that is a known one of its form; the field is counted from the block. */
export type BlockCheck = (block: JsonObject, type: string) => Misfit | null
