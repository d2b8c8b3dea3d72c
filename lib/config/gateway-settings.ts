import * as z from 'zod'

/** OpenClaw's own command, through which its databases are changed; `null` as long as the operator names none. */
export type GatewaySettings = {
  /** A program with its first arguments; it is run without a shell. */
  readonly command: readonly string[]
  /** Address of the gateway; null leaves it to OpenClaw's own configuration. */
  readonly url: string | null
  /** A compaction by a model takes its time. */
  readonly timeoutSeconds: number
} | null

const DEFAULT_COMMAND = ['openclaw']
const DEFAULT_TIMEOUT = 300

/** `gateway` in the settings file. Its token stays where OpenClaw has it: in its configuration or its environment. */
export const gatewayShape = z
  .strictObject(
    {
      command: z
        .union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
          error: 'must be a program, or a list of a program and its first arguments',
        })
        .nullish()
        .transform((value) => (typeof value === 'string' ? [value] : (value ?? DEFAULT_COMMAND))),
      url: z
        .string()
        .regex(/^wss?:\/\//, { error: 'must be an address that begins with ws:// or wss://' })
        .nullish()
        .transform((value) => value ?? null),
      timeoutSeconds: z
        .number({ error: 'must be a number of seconds' })
        .min(1)
        .max(3600)
        .nullish()
        .transform((value) => value ?? DEFAULT_TIMEOUT),
    },
    { error: 'must be a map with command, url and timeoutSeconds' },
  )
  .nullish()
  .transform((value): GatewaySettings => value ?? null)
