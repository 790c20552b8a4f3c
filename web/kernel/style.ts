// The colours of drawings, for pictures that stand alone; the site's style sheet has the same rules.
export const STYLE = `
text{font:13px system-ui,"Segoe UI",Roboto,sans-serif;fill:#1d1b18}
.caption{fill:#55514a}.name{font-weight:600;font-size:14px;fill:#fff}.small{font-size:10.5px}
.strong{font-weight:700}.faint{fill:#6b665d}.wrong{fill:#b3151b}
.box{fill:#fff;stroke:#8d877c}.track{fill:#e3dfd6}.bar{fill:#1d1b18}.mean{fill:#0b46b5}
.link{fill:none;stroke:#1d1b18;stroke-width:2.5}.missing{stroke:#b3151b;stroke-width:1.5;stroke-dasharray:4 4}
.plate{fill:#fdfcf9}.lost circle{fill:none;stroke:#b3151b;stroke-dasharray:4 3;stroke-width:1.5}.lost .name{fill:#b3151b}
.square{fill:none;stroke:#cfc9bd}.linked{fill:#0b46b5;stroke:none}.apart{fill:#e3dfd6;stroke:none}
.differs{fill:none;stroke:#b3151b;stroke-dasharray:3 2}.inverse{fill:#fff}
.span0,.fill0 circle{fill:#0b46b5}.span1,.fill1 circle{fill:#b8440c}.fill2 circle{fill:#00735e}.fill3 circle{fill:#7a2a8f}
.fill4 circle{fill:#805300}.fill5 circle{fill:#0b6a83}.fill6 circle{fill:#a3184f}.fill7 circle{fill:#4b5563}
.shared{fill:#0b46b5;fill-opacity:.16}
@media (prefers-color-scheme:dark){text{fill:#e9e6df}.caption{fill:#b5b0a6}.name,.inverse{fill:#fff}.faint{fill:#a39d92}
.wrong,.lost .name{fill:#ff8a80}.box{fill:#26272b;stroke:#8d877c}.track,.apart{fill:#44454b}.bar{fill:#e9e6df}.mean{fill:#7aa2ff}
.link{stroke:#e9e6df}.missing,.differs{stroke:#ff8a80}.lost circle{stroke:#ff8a80}.plate{fill:#17181c}.square{stroke:#55565c}
.differs{stroke:#ff8a80}.shared{fill:#7aa2ff;fill-opacity:.28}.span0{fill:#7aa2ff}.span1{fill:#f59a6b}.linked,.apart{stroke:none}}
`;
