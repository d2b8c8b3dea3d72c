import type {
  BetaContentBlock,
  BetaContentBlockParam,
  BetaMessageParam,
  BetaToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type {
  ContentBlock,
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type {
  AssistantContent,
  DynamicToolUIPart,
  ModelMessage,
  ToolContent,
  ToolUIPart,
  UIDataTypes,
  UIMessage,
  UIMessagePart,
  UITools,
  UserContent,
} from 'ai'
import type {
  ChatCompletionContentPart,
  ChatCompletionContentPartRefusal,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions/completions'
import type {
  EasyInputMessage,
  ResponseFunctionCallOutputItem,
  ResponseInputContent,
  ResponseInputItem,
  ResponseItem,
  ResponseOutputItem,
  ResponseOutputMessage,
} from 'openai/resources/responses/responses'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { MODEL_FORM } from './ai-sdk'
import { UI_FORM } from './ai-sdk-ui'
import { ANTHROPIC_FORM, type ANTHROPIC_RESULT_BLOCKS } from './anthropic'
import type { BlockTable } from './form-rules'
import { CHAT_FORM } from './openai-chat'
import { RESPONSES_FORM } from './openai-responses'

type TypesOf<T> = T extends { type?: infer Name } ? Extract<Name, string> : never
type RolesOf<T> = T extends { role: infer Name } ? Name : never
type ElementsOf<T> = T extends readonly (infer E)[] ? E : never
type Known<T extends { blocks: BlockTable }> = keyof T['blocks']
/** What a form has of a union; `never` where an SDK has a block that the form lacks, which fails the type check. */
type Missing<Names, T extends { blocks: BlockTable }> = Exclude<Names, Known<T>>

describe('A8 the tables of the forms know every block, item and role of the SDKs', () => {
  it('Anthropic Messages, with betas', () => {
    type Blocks = TypesOf<ContentBlock | ContentBlockParam | BetaContentBlock | BetaContentBlockParam>
    expectTypeOf<Missing<Blocks, typeof ANTHROPIC_FORM>>().toBeNever()
    expectTypeOf<Exclude<Known<typeof ANTHROPIC_FORM>, Blocks>>().toBeNever()
    type Inner = TypesOf<
      | ElementsOf<Exclude<ToolResultBlockParam['content'], string>>
      | ElementsOf<Exclude<BetaToolResultBlockParam['content'], string>>
    >
    expectTypeOf<Exclude<Inner, keyof typeof ANTHROPIC_RESULT_BLOCKS>>().toBeNever()
    expectTypeOf<Exclude<keyof typeof ANTHROPIC_RESULT_BLOCKS, Inner>>().toBeNever()
    expectTypeOf<RolesOf<MessageParam | BetaMessageParam>>().toEqualTypeOf<
      (typeof ANTHROPIC_FORM)['roles'][number]
    >()
    expect(Object.keys(ANTHROPIC_FORM.blocks)).toHaveLength(24)
  })

  it('OpenAI Chat Completions', () => {
    type Parts = TypesOf<
      ChatCompletionContentPart | ChatCompletionContentPartRefusal | ChatCompletionMessageToolCall
    >
    expectTypeOf<Missing<Parts, typeof CHAT_FORM>>().toBeNever()
    expectTypeOf<Exclude<Known<typeof CHAT_FORM>, Parts>>().toBeNever()
    expectTypeOf<RolesOf<ChatCompletionMessageParam>>().toEqualTypeOf<(typeof CHAT_FORM)['roles'][number]>()
    expect(Object.keys(CHAT_FORM.blocks)).toHaveLength(7)
  })

  it('OpenAI Responses: items that go in and come out, and their parts', () => {
    type Items = TypesOf<ResponseInputItem | ResponseOutputItem | ResponseItem>
    // Results have parts with the same names.
    type Parts = TypesOf<
      ResponseInputContent | ElementsOf<ResponseOutputMessage['content']> | ResponseFunctionCallOutputItem
    >
    expectTypeOf<Missing<Items | Parts, typeof RESPONSES_FORM>>().toBeNever()
    expectTypeOf<Exclude<Known<typeof RESPONSES_FORM>, Items | Parts>>().toBeNever()
    expectTypeOf<EasyInputMessage['role']>().toEqualTypeOf<(typeof RESPONSES_FORM)['roles'][number]>()
    expect(Object.keys(RESPONSES_FORM.blocks)).toHaveLength(36)
  })

  it('AI SDK ModelMessage', () => {
    type Parts = TypesOf<ElementsOf<AssistantContent | ToolContent | UserContent>>
    expectTypeOf<Missing<Parts, typeof MODEL_FORM>>().toBeNever()
    // Version 4 had one more.
    expectTypeOf<Exclude<Known<typeof MODEL_FORM>, Parts>>().toEqualTypeOf<'redacted-reasoning'>()
    expectTypeOf<RolesOf<ModelMessage>>().toEqualTypeOf<(typeof MODEL_FORM)['roles'][number]>()
    expect(Object.keys(MODEL_FORM.blocks)).toHaveLength(11)
  })

  it('AI SDK UIMessage, with the states of its tools', () => {
    type Parts = TypesOf<UIMessagePart<UIDataTypes, UITools>>
    type Families = `data-${string}` | `tool-${string}`
    expectTypeOf<Exclude<Missing<Parts, typeof UI_FORM>, Families>>().toBeNever()
    expectTypeOf<Exclude<Known<typeof UI_FORM>, Parts>>().toBeNever()
    expectTypeOf<(DynamicToolUIPart | ToolUIPart)['state']>().toEqualTypeOf<
      keyof (typeof UI_FORM)['states']
    >()
    expectTypeOf<UIMessage['role']>().toEqualTypeOf<(typeof UI_FORM)['roles'][number]>()
    expect(Object.keys(UI_FORM.states)).toHaveLength(7)
  })
})
