// Search runs in a worker, and browsers start none for a page that was opened from disk.
// There, a hidden frame with the worker's script does its work.
if (location.protocol === "file:") {
  const deliver = (target, data) =>
    target.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }));

  const load = (page, url) =>
    new Promise((done, failed) => {
      const script = page.createElement("script");
      script.src = new URL(url, location.href);
      script.addEventListener("load", done);
      script.addEventListener("error", failed);
      page.body.append(script);
    });

  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(url) {
      super();
      this.addEventListener("message", (message) => this.onmessage?.(message));
      this.#frame.hidden = true;
      this.#frame.srcdoc = "<!doctype html>";
      const loaded = new Promise((done) => this.#frame.addEventListener("load", done));
      this.#ready = loaded.then(() => this.#start(url));
      document.body.append(this.#frame);
    }

    postMessage(data) {
      this.#ready.then(() => deliver(this.#frame.contentWindow, data));
    }

    terminate() {
      this.#frame.remove();
    }

    #start(url) {
      const inside = this.#frame.contentWindow;
      inside.postMessage = (data) => deliver(this, data);
      return load(inside.document, url);
    }
  };
}
