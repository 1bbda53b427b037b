// What extensions of people do: tools that ask, each with its own shape of arguments, and a command with a dialog.
import { Type } from "typebox";

export default function (pi: any) {
  const tool = (name: string, parameters: any) =>
    pi.registerTool({
      name,
      label: name,
      description: `Asks the person (${name}).`,
      parameters,
      async execute(_id: string, args: any, signal: any, _update: any, ctx: any) {
        const first = args.question ?? args.questions?.[0]?.question ?? args.questions?.[0]?.prompt;
        const options = args.options ?? args.questions?.[0]?.options ?? ["yes", "no"];
        const answer = await ctx.ui.select(first, options, { signal });
        if (answer === undefined) throw new Error("The person cancelled");
        return { content: [{ type: "text", text: `answer: ${answer}` }], details: {} };
      },
    });
  const options = Type.Optional(Type.Array(Type.String()));
  tool("question", Type.Object({ question: Type.String(), options }));
  tool("questionnaire", Type.Object({ questions: Type.Array(Type.Object({ prompt: Type.String(), options })) }));
  tool("ask_questions", Type.Object({ questions: Type.Array(Type.Object({ question: Type.String(), options })) }));
  pi.registerCommand("dialog", {
    description: "Opens a dialog outside of a turn",
    handler: async (_args: string, ctx: any) => void (await ctx.ui.confirm("Deploy to production?", "Really?")),
  });
}
