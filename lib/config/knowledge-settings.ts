import * as z from 'zod'

/** Where facts are kept. */
export type KnowledgeSettings = {
  /** The server that keeps them; null: the project's own database. */
  readonly surrealdb: SurrealSettings | null
}

type SurrealSettings = {
  readonly url: string
  readonly namespace: string
  readonly database: string
  /** null: the server asks for none. */
  readonly username: string | null
  /** Name of the environment variable that holds the password, so that it is in no file. */
  readonly passwordEnv: string
  readonly timeoutSeconds: number
}

export const DEFAULT_KNOWLEDGE: KnowledgeSettings = { surrealdb: null }

const name = (fallback: string) =>
  z
    .string({ error: 'must be a name' })
    .regex(/^[\w-]+$/, { error: 'must be a name of letters, digits, _ and -' })
    .nullish()
    .transform((value) => value ?? fallback)

const surrealShape = z
  .strictObject(
    {
      url: z
        .string({ error: 'must be an address like http://127.0.0.1:8000' })
        .regex(/^(https?|wss?):\/\/[^\s@]+$/, {
          error: 'must be an address like http://127.0.0.1:8000, without a password in it',
        }),
      namespace: name('plimsoll'),
      database: name('memory'),
      username: z
        .string({ error: 'must be a name' })
        .nullish()
        .transform((value) => value ?? null),
      passwordEnv: name('SURREALDB_PASSWORD'),
      timeoutSeconds: z
        .number({ error: 'must be a number of seconds' })
        .min(1)
        .max(60)
        .nullish()
        .transform((value) => value ?? 5),
    },
    {
      error:
        'must be a map with url, and if wanted namespace, database, username, passwordEnv, timeoutSeconds',
    },
  )
  .nullish()
  .transform((value): SurrealSettings | null => value ?? null)

/** `knowledge` in the settings file. */
export const knowledgeShape = z
  .strictObject({ surrealdb: surrealShape }, { error: 'must be a map with surrealdb' })
  .nullish()
  .transform((value): KnowledgeSettings => value ?? DEFAULT_KNOWLEDGE)
