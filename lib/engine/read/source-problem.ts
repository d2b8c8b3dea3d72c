/**
 * Why a source cannot be read. `missing`: not there (any more). `unreadable`: no permission, damaged, or a fault of the
 * disk. `not-regular`: a directory, pipe or device. `outside`: a link leads out of the store. `locked`: another process
 * has it locked. `newer`: written by a release that we do not know. `changed`: not what was read there before.
 */
export type SourceProblemCode =
  | 'missing'
  | 'unreadable'
  | 'not-regular'
  | 'outside'
  | 'locked'
  | 'newer'
  | 'changed'

/** An expected failure of a store or transcript. The message names the place, what is wrong, and what to do. */
export class SourceProblem extends Error {
  readonly code: SourceProblemCode
  readonly path: string

  constructor(code: SourceProblemCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceProblem'
    this.code = code
    this.path = path
  }
}
