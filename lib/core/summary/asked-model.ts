/** A model that is asked for a summary, and where. */
export type AskedModel = {
  /** `provider/model` */
  readonly name: string
  /** Address that requests go to; null where it is not known. */
  readonly address: string | null
}
