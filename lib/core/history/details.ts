/**
 * A message without the `details` of a tool result: runtimes keep there what is for screens alone, and never send
 * it. The same object where there are none.
 */
export function withoutDetails<M extends object>(message: M): M {
  if (!('details' in message)) return message
  const sent = { ...message }
  Reflect.deleteProperty(sent, 'details')
  return sent
}
