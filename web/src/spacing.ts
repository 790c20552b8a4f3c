/** Spaces between words on the screen. The words themselves do not change. */

const NONE_BEFORE = /^(?:[.,;:!?…)\]}»”’%。、，．！？；：」』）】》]|'s$|’s$|n't$|n’t$)/u;
const NONE_AFTER = /[([{«“‘¿¡「『（【《]$/u;
const DENSE_END =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}。、，！？；：「」『』（）]$/u;
const DENSE_START =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}。、，！？；：「」『』（）]/u;

/** Return the space between two words, if any. */
export function spaceBetween(word: string, next: string): "" | " " {
  if (NONE_BEFORE.test(next) || NONE_AFTER.test(word)) return "";
  return DENSE_END.test(word) && DENSE_START.test(next) ? "" : " ";
}
