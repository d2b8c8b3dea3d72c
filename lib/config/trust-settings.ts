import * as z from 'zod'
import type { Endpoint } from '../core/policy/store-grants'

/** What the operator lets the files of one store decide; see `StoreGrants`. */
export type StoreAllowance = {
  readonly summarizers: readonly Endpoint[]
  readonly embedders: readonly Endpoint[]
  readonly sessionModel: boolean
  /** Absolute paths: these folders, and what lies in them. */
  readonly folders: readonly string[]
  /** OpenClaw's own command may run with the settings of this store, which name programs that it starts. */
  readonly openclaw: boolean
}

/** A key that may be sent to an address that is not its provider's own. */
export type KeyPairing = {
  /** Name of the environment variable that holds the key. */
  readonly variable: string
  /** Scheme, host and port of the only addresses that get it, e.g. `https://proxy.example`. */
  readonly origin: string
}

const ADDRESS = 'must be an address like http://localhost:11434, without a password in it'

const address = z
  .string({ error: ADDRESS })
  .refine((value) => /^https?:\/\/[^\s@]+$/i.test(value) && URL.canParse(value), { error: ADDRESS })

const endpoint = z
  .strictObject(
    {
      model: z.string({ error: 'must be a model, e.g. ollama/qwen2.5:7b' }).min(1).optional(),
      url: address.optional(),
    },
    { error: 'must be a map with model, url, or both' },
  )
  .refine(({ model, url }) => model !== undefined || url !== undefined, {
    error: 'must name model, url, or both, just as the store does',
  })
  .transform(({ model = null, url = null }): Endpoint => ({ model, url }))

/** One, or several of them. */
const endpoints = z
  .unknown()
  .optional()
  .transform((value) => (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]))
  .pipe(z.array(endpoint))

/** `allow` of a store in the settings file. */
export const allowShape = z
  .strictObject(
    {
      summarizer: endpoints,
      embedder: endpoints,
      sessionModel: z.boolean({ error: 'must be true or false' }).default(false),
      folders: z.array(z.string().min(1), { error: 'must be a list of paths' }).default([]),
      openclaw: z.boolean({ error: 'must be true or false' }).default(false),
    },
    { error: 'must be a map with summarizer, embedder, sessionModel, folders and openclaw' },
  )
  .transform(
    ({ summarizer, embedder, ...rest }): StoreAllowance => ({
      summarizers: summarizer,
      embedders: embedder,
      ...rest,
    }),
  )

/** `keys` in the settings file. */
export const keysShape = z
  .array(
    z.strictObject(
      {
        env: z
          .string({ error: 'must be the name of an environment variable' })
          .regex(/^[A-Za-z_]\w*$/, { error: 'must be the name of an environment variable' }),
        url: address,
      },
      { error: 'must be a map with env and url' },
    ),
    { error: 'must be a list of maps with env and url' },
  )
  .nullish()
  .transform((value): KeyPairing[] =>
    (value ?? []).map(({ env, url }) => ({ variable: env, origin: new URL(url).origin })),
  )
