// The page that asks questions, and answers with a command and a sentence.

import { h } from "./dom";
import { type Answers, type Question, type Recommendation, QUESTIONS, questionsFor, recommend } from "./recommendations";

export class Choose {
  readonly element: HTMLElement;
  #answers: Record<string, string> = {};
  #message = h("p", { class: "explainer-message", role: "status" });
  #questions = h("div", {});
  #result = h("div", { class: "explainer-answer", "aria-live": "polite" });

  constructor() {
    this.element = h(
      "section",
      { class: "explainer", "aria-label": "Questions" },
      this.#questions,
      this.#message,
      this.#result,
    );
    this.#questions.addEventListener("change", (event) => {
      const { name, value } = event.target as HTMLInputElement;
      this.#answers[name] = value;
      this.#message.textContent = "";
      this.#show();
      history.replaceState(history.state, "", `#${new URLSearchParams(this.#relevant())}`);
    });
    window.addEventListener("hashchange", () => this.open());
  }

  /** Shows the answers of the address. */
  open(): void {
    const hash = location.hash.slice(1);
    if (!hash.includes("=")) return this.#show();
    const given = [...new URLSearchParams(hash)];
    const isSound = given.every(([name, value]) =>
      QUESTIONS.some((question) => question.name === name && question.options.some(([option]) => option === value)),
    );
    this.#answers = isSound ? Object.fromEntries(given) : {};
    this.#message.textContent = isSound ? "" : "The address of this page is damaged, so no question is answered.";
    this.#show();
  }

  /** The answers to questions that are asked; others may remain from before. */
  #relevant(): Answers {
    const asked = questionsFor(this.#answers).map((question) => question.name);
    return Object.fromEntries(asked.filter((name) => this.#answers[name]).map((name) => [name, this.#answers[name]!]));
  }

  #show(): void {
    const questions = questionsFor(this.#answers);
    const names = questions.map((question) => question.name);
    for (const old of [...this.#questions.children]) {
      if (!names.includes((old as HTMLElement).dataset["question"]!)) old.remove();
    }
    questions.forEach((question, index) => {
      const present = this.#questions.querySelector<HTMLElement>(`[data-question="${question.name}"]`);
      const fields = present ?? fieldsOf(question);
      for (const input of fields.querySelectorAll("input")) input.checked = this.#answers[question.name] === input.value;
      // Only new questions are inserted, so that the focus stays where it is.
      if (this.#questions.children[index] !== fields) {
        this.#questions.insertBefore(fields, this.#questions.children[index] ?? null);
      }
    });
    const open = questions.filter((question) => !this.#answers[question.name]);
    const answer = recommend(this.#answers);
    this.#result.replaceChildren(...(answer ? partsOf(answer) : [h("p", {}, remaining(open.length, questions.length))]));
  }
}

function remaining(open: number, asked: number): string {
  const isLast = open === 1 && asked > 1; // the first question leads to others
  return `Answer the ${isLast ? "last question" : "questions"} to get a command and a sentence.`;
}

function fieldsOf(question: Question): HTMLElement {
  const options = question.options.map(([value, label]) => {
    const input = h("input", { type: "radio", name: question.name, value });
    return h("label", { class: "explainer-option" }, input, label);
  });
  return h("fieldset", { "data-question": question.name }, h("legend", {}, question.text), ...options);
}

function partsOf({ commands, sentence, reasons, pages }: Recommendation): Node[] {
  const links = pages.flatMap(([title, path], index) => [...(index > 0 ? [", "] : []), h("a", { href: `${path}.html` }, title)]);
  return [
    h("p", { class: "explainer-heading" }, commands.length > 1 ? "Type these commands" : "Type this command"),
    h("pre", {}, h("code", {}, commands.join("\n"))),
    h("p", { class: "explainer-heading" }, "Write this sentence"),
    h("blockquote", {}, sentence),
    copyButton("Copy the sentence", sentence),
    h("p", {}, "The signature is at the end of the output. Put it into the sentence, so that readers know how you scored."),
    h("ul", {}, ...reasons.map((reason) => h("li", {}, reason))),
    h("p", {}, "More: ", ...links, "."),
  ];
}

function copyButton(label: string, text: string): HTMLButtonElement {
  const element = h("button", { type: "button" }, label);
  element.addEventListener("click", () => {
    void navigator.clipboard?.writeText(text).then(() => (element.textContent = "Copied"));
  });
  return element;
}
