import * as z from 'zod'

/** Where a notice goes when a health check finds a context above the percentage that it was asked about. */
export type HealthSettings = {
  /** A command; gets the facts as JSON on its standard input. null: none. */
  readonly command: string | null
  /** An address that the facts are posted to as JSON. null: none. */
  readonly webhook: string | null
  /** A slower one is not waited for. */
  readonly timeoutSeconds: number
}

export const DEFAULT_HEALTH: HealthSettings = { command: null, webhook: null, timeoutSeconds: 10 }

/** `health` in the settings file. */
export const healthShape = z
  .strictObject(
    {
      command: z
        .string({ error: 'must be a command' })
        .min(1)
        .nullish()
        .transform((value) => value ?? null),
      webhook: z
        .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
        .nullish()
        .transform((value) => value ?? null),
      timeoutSeconds: z
        .number({ error: 'must be a number of seconds' })
        .min(1)
        .max(600)
        .nullish()
        .transform((value) => value ?? DEFAULT_HEALTH.timeoutSeconds),
    },
    { error: 'must be a map with command, webhook and timeoutSeconds' },
  )
  .nullish()
  .transform((value): HealthSettings => value ?? DEFAULT_HEALTH)
