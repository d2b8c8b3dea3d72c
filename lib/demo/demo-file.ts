/** One file of a made-up store; the path is relative and uses slashes. */
export type DemoFile = { readonly path: string; readonly text: string }
