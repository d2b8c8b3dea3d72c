import * as z from 'zod'

/** Commands of the operator around compactions; each gets the event as JSON on its standard input. */
export type HookSettings = {
  readonly beforeCompaction: readonly string[]
  readonly afterCompaction: readonly string[]
  /** A command that takes longer is ended. */
  readonly timeoutSeconds: number
}

export const DEFAULT_HOOKS: HookSettings = { beforeCompaction: [], afterCompaction: [], timeoutSeconds: 10 }

const commands = z
  .array(z.string().min(1), { error: 'must be a list of commands' })
  .nullish()
  .transform((value) => value ?? [])

/** `hooks` in the settings file. */
export const hooksShape = z
  .strictObject(
    {
      beforeCompaction: commands,
      afterCompaction: commands,
      timeoutSeconds: z
        .number({ error: 'must be a number of seconds' })
        .min(1)
        .max(600)
        .nullish()
        .transform((value) => value ?? DEFAULT_HOOKS.timeoutSeconds),
    },
    { error: 'must be a map with beforeCompaction, afterCompaction and timeoutSeconds' },
  )
  .nullish()
  .transform((value): HookSettings => value ?? DEFAULT_HOOKS)
