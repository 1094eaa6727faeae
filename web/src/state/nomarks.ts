// No marks: those of a visitor would be kept by nobody.
import type { MarkStore } from './markstore.ts';

export class NoMarks implements MarkStore {
  readonly reviewer = null;
  readonly may = false;
  readonly trouble = '';

  watch(): void {}

  keep(): void {}
}
