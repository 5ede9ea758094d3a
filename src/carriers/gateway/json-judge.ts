import { type ErrorTable, judgeError } from './errors.ts';
import { parseAnswer, textAt } from './json-answer.ts';
import { accept, isSuccess, type Judge } from './verdict.ts';

interface JsonAnswers {
  readonly errors: ErrorTable;
  /** Paths in the JSON of a refusal and of an acceptance. */
  readonly error: string;
  readonly reference: string;
  readonly receiptFollows: boolean;
}

/** For gateways that take a message exactly when they answer with a success. */
export function judgeJson({ errors, error, reference, receiptFollows }: JsonAnswers): Judge {
  return (answer, now) => {
    const body = parseAnswer(answer.body);
    return isSuccess(answer)
      ? accept(textAt(body, reference), receiptFollows, `the answer holds no ${reference}`)
      : judgeError(errors, textAt(body, error), answer, now);
  };
}
